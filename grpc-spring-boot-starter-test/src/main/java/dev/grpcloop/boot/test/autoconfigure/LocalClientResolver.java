package dev.grpcloop.boot.test.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AutowireCandidateResolver;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * Offers clients of the test's server to injection points that ask for one, and leaves
 * all others to the resolver that was there.
 * <p>
 * They are no beans on purpose. Beans would be found by the application too: one that
 * misses a stub would start in its test and nowhere else. And they would have to be
 * registered for the stubs of each test class, so that each would have a context of its
 * own.
 */
final class LocalClientResolver implements AutowireCandidateResolver {

	private final AutowireCandidateResolver delegate;

	private final DefaultListableBeanFactory beanFactory;

	private final Function<Class<?>, Object> clients;

	LocalClientResolver(AutowireCandidateResolver delegate, DefaultListableBeanFactory beanFactory,
			Function<Class<?>, Object> clients) {
		this.delegate = delegate;
		this.beanFactory = beanFactory;
		this.clients = clients;
	}

	@Override
	public @Nullable Object getSuggestedValue(DependencyDescriptor descriptor) {
		Object value = this.delegate.getSuggestedValue(descriptor);
		if (value != null) {
			return value;
		}
		Class<?> type = descriptor.getDependencyType();
		if (isAnnotated(descriptor)) {
			if (!ClientType.isClient(type)) {
				throw new IllegalStateException("@LocalGrpcClient stands at " + descriptor.getMember() + ", where a "
						+ type.getName() + " is injected. It can inject an io.grpc.Channel, an io.grpc.ManagedChannel "
						+ "or a generated stub.");
			}
			return this.clients.apply(type);
		}
		return (ClientType.isClient(type) && isLeftToTheTest(descriptor, type)) ? this.clients.apply(type) : null;
	}

	private static boolean isAnnotated(DependencyDescriptor descriptor) {
		if (isPresent(descriptor.getAnnotations())) {
			return true;
		}
		MethodParameter parameter = descriptor.getMethodParameter();
		return parameter != null && parameter.getMethod() != null
				&& AnnotatedElementUtils.hasAnnotation(parameter.getMethod(), LocalGrpcClient.class);
	}

	private static boolean isPresent(Annotation[] annotations) {
		return MergedAnnotations.from(annotations).isPresent(LocalGrpcClient.class);
	}

	/**
	 * Who asks is no bean of the application, and no bean of the application is what it
	 * asks for.
	 */
	private boolean isLeftToTheTest(DependencyDescriptor descriptor, Class<?> type) {
		return !this.delegate.hasQualifier(descriptor) && !hasBean(owner(descriptor)) && !hasBean(type);
	}

	private boolean hasBean(Class<?> type) {
		return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, type, true, false).length > 0;
	}

	private static Class<?> owner(DependencyDescriptor descriptor) {
		MethodParameter parameter = descriptor.getMethodParameter();
		return (parameter != null) ? parameter.getContainingClass() : descriptor.getMember().getDeclaringClass();
	}

	@Override
	public boolean isAutowireCandidate(BeanDefinitionHolder definition, DependencyDescriptor descriptor) {
		return this.delegate.isAutowireCandidate(definition, descriptor);
	}

	@Override
	public boolean isRequired(DependencyDescriptor descriptor) {
		return this.delegate.isRequired(descriptor);
	}

	@Override
	public boolean hasQualifier(DependencyDescriptor descriptor) {
		return this.delegate.hasQualifier(descriptor);
	}

	@Override
	public @Nullable String getSuggestedName(DependencyDescriptor descriptor) {
		return this.delegate.getSuggestedName(descriptor);
	}

	@Override
	public @Nullable Object getLazyResolutionProxyIfNecessary(DependencyDescriptor descriptor,
			@Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyIfNecessary(descriptor, beanName);
	}

	@Override
	public @Nullable Class<?> getLazyResolutionProxyClass(DependencyDescriptor descriptor, @Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyClass(descriptor, beanName);
	}

	/** Another bean factory gets the resolver that was there. */
	@Override
	public AutowireCandidateResolver cloneIfNecessary() {
		return this.delegate.cloneIfNecessary();
	}

}
