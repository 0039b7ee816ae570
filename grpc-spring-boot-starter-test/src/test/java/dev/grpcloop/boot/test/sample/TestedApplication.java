package dev.grpcloop.boot.test.sample;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class TestedApplication {

}
