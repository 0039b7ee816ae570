package dev.grpcloop.boot.endpoint;

import java.util.List;

/**
 * One service.
 *
 * @param name its name
 * @param methods its methods in the order of their names
 */
record ServiceReport(String name, List<MethodReport> methods) {
}
