package dev.grpcloop.boot.accesslog;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import dev.grpcloop.boot.accesslog.CallRecord.Messages;
import io.grpc.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lines of the access log.
 */
class AccessLogFormatTests {

	private static final String HOSTILE = "a b=\"c\"\\\r\nmethod=x\u001b[31m\u2028\u00e9";

	@Test
	void textIsKeysAndValues() throws UnknownHostException {
		assertThat(AccessLogFormat.TEXT.line(call("test.v1.Greeter/Hello", "grpc-java-netty/1.83 x"))).isEqualTo(
				"method=test.v1.Greeter/Hello status=NOT_FOUND start=2026-01-01T00:00:00.250Z duration=0.000000123 "
						+ "messagesReceived=1 messagesSent=2 bytesReceived=10 bytesSent=20 peer=[::1]:4711 "
						+ "authority=localhost userAgent=\"grpc-java-netty/1.83 x\"");
	}

	@Test
	void jsonIsAnObject() throws UnknownHostException {
		Map<String, Object> line = JsonPath.read(AccessLogFormat.JSON.line(call(HOSTILE, null)), "$");
		assertThat(line).containsEntry("method", HOSTILE)
			.containsEntry("duration", 1.23e-7)
			.containsEntry("bytesSent", 20)
			.containsEntry("peer", "[::1]:4711")
			.doesNotContainKey("userAgent");
	}

	@ParameterizedTest
	@EnumSource(AccessLogFormat.class)
	void whateverTheClientSendsIsOneLineOfPrintableAscii(AccessLogFormat format) throws UnknownHostException {
		CallRecord call = call(HOSTILE, HOSTILE);
		assertThat(format.line(call)).matches("[ -~]+");
		assertThat(call.fields().values()).allSatisfy((value) -> assertThat(value.toString()).matches("[ -~]+"));
		assertThat(AccessLogFormat.TEXT.line(call))
			.startsWith("method=\"a b=\\\"c\\\"\\\\\\u000d\\u000amethod=x\\u001b[31m\\u2028\\u00e9\" status=");
	}

	private static CallRecord call(String method, String userAgent) throws UnknownHostException {
		return new CallRecord(method, Status.Code.NOT_FOUND, 1767225600250L, 123, new Messages(1, 10),
				new Messages(2, 20), new InetSocketAddress(InetAddress.getByName("::1"), 4711), "localhost", userAgent);
	}

}
