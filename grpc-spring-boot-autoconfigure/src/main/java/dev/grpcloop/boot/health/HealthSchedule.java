package dev.grpcloop.boot.health;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;

/**
 * When the health of a running server is checked.
 *
 * @param delay how long after the start of the server for the first time
 * @param period how often after that
 * @param clock says when it is time, or {@code null} for a clock of our own. No check is
 * made on its threads: what hangs must not hold up the tasks of the application
 */
public record HealthSchedule(Duration delay, Duration period, @Nullable TaskScheduler clock) {

}
