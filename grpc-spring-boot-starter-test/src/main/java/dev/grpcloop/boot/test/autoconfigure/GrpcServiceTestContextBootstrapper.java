package dev.grpcloop.boot.test.autoconfigure;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Sets up the contexts of {@link GrpcServiceTest @GrpcServiceTest} classes.
 */
final class GrpcServiceTestContextBootstrapper extends TestSliceTestContextBootstrapper<GrpcServiceTest> {

}
