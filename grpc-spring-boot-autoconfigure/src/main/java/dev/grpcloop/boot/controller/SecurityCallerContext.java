package dev.grpcloop.boot.controller;

import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Who calls, as Spring Security knows it.
 */
final class SecurityCallerContext implements CallerContext {

	@Override
	public Scope capture() {
		SecurityContext context = SecurityContextHolder.getContext();
		return (work) -> run(context, work);
	}

	private static void run(SecurityContext context, Runnable work) {
		SecurityContextHolder.setContext(context);
		try {
			work.run();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

}
