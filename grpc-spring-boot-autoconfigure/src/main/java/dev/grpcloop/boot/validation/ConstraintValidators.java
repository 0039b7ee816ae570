package dev.grpcloop.boot.validation;

import java.util.function.Supplier;

import jakarta.validation.Validator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.validation.MessageInterpolatorFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.validation.beanvalidation.LocalValidatorFactoryBean;

/**
 * The {@link Validator} of the application, which is Spring Boot's or its own. Where
 * there is none, one is made that also takes its constraint validators from the context.
 */
public final class ConstraintValidators implements Supplier<Validator>, DisposableBean {

	/**
	 * Hibernate Validator's property that lets a method have constraints which the method
	 * that it overrides does not have. Methods of services override generated ones.
	 */
	public static final String ALLOW_OVERRIDE = "hibernate.validator.allow_parameter_constraint_override";

	private final ObjectProvider<Validator> beans;

	private final ApplicationContext context;

	private @Nullable LocalValidatorFactoryBean own;

	/**
	 * A source of the validator.
	 * @param beans the beans of that type
	 * @param context has the constraint validators
	 */
	public ConstraintValidators(ObjectProvider<Validator> beans, ApplicationContext context) {
		this.beans = beans;
		this.context = context;
	}

	@Override
	public Validator get() {
		return this.beans.getIfUnique(this::own);
	}

	private synchronized Validator own() {
		if (this.own == null) {
			LocalValidatorFactoryBean factory = new LocalValidatorFactoryBean();
			factory.setApplicationContext(this.context);
			factory.setMessageInterpolator(new MessageInterpolatorFactory(this.context).getObject());
			factory.getValidationPropertyMap().put(ALLOW_OVERRIDE, "true");
			factory.afterPropertiesSet();
			this.own = factory;
		}
		return this.own;
	}

	@Override
	public synchronized void destroy() {
		if (this.own != null) {
			this.own.destroy();
			this.own = null;
		}
	}

}
