/**
 * Services of plain methods: how a bean of them becomes a service, and how its methods
 * are called.
 */
@NullMarked
package dev.grpcloop.boot.controller;

import org.jspecify.annotations.NullMarked;
