package dev.grpcloop.sample;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * The switch of the page at {@code /}. Browsers do not send PUT and DELETE for the pages
 * of others, so that no other page can turn it.
 */
@RestController
@RequestMapping("/load")
class LoadController {

	private final Load load;

	LoadController(Load load) {
		this.load = load;
	}

	@GetMapping
	LoadState state() {
		return this.load.state();
	}

	@PutMapping
	LoadState start() {
		if (!this.load.start()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "The gRPC server listens on no TCP port");
		}
		return this.load.state();
	}

	@DeleteMapping
	LoadState stop() {
		this.load.stop();
		return this.load.state();
	}

}
