package dev.grpcloop.boot.autoconfigure;

import build.buf.protovalidate.ValidatorFactory;
import dev.grpcloop.boot.validation.ConstraintRules;
import dev.grpcloop.boot.validation.ConstraintValidators;
import dev.grpcloop.boot.validation.ProtovalidateRules;
import dev.grpcloop.boot.validation.RequestValidation;
import jakarta.validation.Validator;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnResource;
import org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The validation of requests.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.grpc.protobuf.StatusProto")
@Conditional(BooleanPropertyCondition.OnValidationEnabled.class)
class ValidationConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RequestValidation grpcLoopRequestValidation(ObjectProvider<ProtovalidateRules> protovalidate,
			ObjectProvider<ConstraintRules> constraints) {
		return RequestValidation.of(protovalidate.getIfAvailable(), constraints.getIfAvailable());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "build.buf.protovalidate.Validator")
	static class ProtovalidateConfiguration {

		@Lazy
		@Bean
		@ConditionalOnMissingBean
		build.buf.protovalidate.Validator grpcLoopProtovalidateValidator() {
			return ValidatorFactory.newBuilder().build();
		}

		@Bean
		@ConditionalOnMissingBean
		ProtovalidateRules grpcLoopProtovalidateRules(ObjectProvider<build.buf.protovalidate.Validator> validator) {
			return new ProtovalidateRules(validator::getObject);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "jakarta.validation.executable.ExecutableValidator")
	@ConditionalOnResource(resources = "classpath:META-INF/services/jakarta.validation.spi.ValidationProvider")
	static class ConstraintConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ConstraintValidators grpcLoopConstraintValidators(ObjectProvider<Validator> validator,
				ApplicationContext context) {
			return new ConstraintValidators(validator, context);
		}

		@Bean
		@ConditionalOnMissingBean
		ConstraintRules grpcLoopConstraintRules(ConstraintValidators validators, BeanFactory beanFactory) {
			return new ConstraintRules(validators, beanFactory);
		}

	}

	/** What is allowed is needed for services that Spring validates, too. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.validation.autoconfigure.ValidationConfigurationCustomizer")
	static class SpringBootValidatorConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "grpcLoopValidationConfigurationCustomizer")
		ValidationConfigurationCustomizer grpcLoopValidationConfigurationCustomizer() {
			return (configuration) -> configuration.addProperty(ConstraintValidators.ALLOW_OVERRIDE, "true");
		}

	}

}
