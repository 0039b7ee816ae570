package dev.grpcloop.boot.reflection;

import java.util.List;

import dev.grpcloop.boot.server.CompanionServices;
import io.grpc.BindableService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;

/**
 * The reflection service of grpc-java, under its name of today and the one before: tools
 * that were made before 2023 know no other than {@code grpc.reflection.v1alpha}.
 */
public final class ReflectionServices implements CompanionServices {

	private final List<BindableService> services = List.of(ProtoReflectionServiceV1.newInstance(), v1alpha());

	@Override
	public List<BindableService> services() {
		return this.services;
	}

	/** It does the same as its successor; the warning is for those who write clients. */
	@SuppressWarnings("deprecation")
	private static BindableService v1alpha() {
		return io.grpc.protobuf.services.ProtoReflectionService.newInstance();
	}

}
