package dev.grpcloop.boot.validation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.grpcloop.boot.test.orders.v1.Receipt;
import dev.grpcloop.boot.test.orders.v1.Ticket;
import dev.grpcloop.boot.test.orders.v1.TicketsGrpc;
import io.grpc.stub.StreamObserver;
import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;

import org.springframework.grpc.server.service.GrpcService;

/**
 * Sells tickets to passengers that a bean knows.
 */
@GrpcService
public class PassengerService extends TicketsGrpc.TicketsImplBase {

	final List<Ticket> sold = new CopyOnWriteArrayList<>();

	@Override
	public void buy(@KnownPassenger Ticket ticket, StreamObserver<Receipt> responses) {
		this.sold.add(ticket);
		responses.onNext(Receipt.getDefaultInstance());
		responses.onCompleted();
	}

	/**
	 * The passenger of a ticket must be one of {@link Passengers}.
	 */
	@Constraint(validatedBy = KnownPassengerValidator.class)
	@Retention(RetentionPolicy.RUNTIME)
	@interface KnownPassenger {

		String message() default "must be known";

		Class<?>[] groups() default {};

		Class<? extends Payload>[] payload() default {};

	}

	public static class Passengers {

		final AtomicInteger asked = new AtomicInteger();

		boolean knows(String name) {
			this.asked.incrementAndGet();
			if (name.equals("broken")) {
				throw new IllegalStateException("broken validator");
			}
			return name.equals("Ada");
		}

	}

	static class KnownPassengerValidator implements ConstraintValidator<KnownPassenger, Ticket> {

		private final Passengers passengers;

		KnownPassengerValidator(Passengers passengers) {
			this.passengers = passengers;
		}

		@Override
		public boolean isValid(Ticket ticket, ConstraintValidatorContext context) {
			if (this.passengers.knows(ticket.getPassengerName())) {
				return true;
			}
			context.disableDefaultConstraintViolation();
			context.buildConstraintViolationWithTemplate(context.getDefaultConstraintMessageTemplate())
				.addPropertyNode("passengerName")
				.addConstraintViolation();
			return false;
		}

	}

}
