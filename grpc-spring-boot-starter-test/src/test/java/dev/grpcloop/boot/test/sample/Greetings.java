package dev.grpcloop.boot.test.sample;

import org.springframework.stereotype.Service;

/** What the greeter needs; no gRPC in it. */
@Service
public class Greetings {

	public String greet(String name) {
		return "Hello " + name;
	}

}
