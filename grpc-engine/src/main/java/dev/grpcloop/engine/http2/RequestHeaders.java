package dev.grpcloop.engine.http2;

import java.util.Arrays;
import java.util.Iterator;

import dev.grpcloop.engine.call.MethodRoute;
import dev.grpcloop.engine.message.MetadataCodec;
import dev.grpcloop.engine.message.TimeoutCodec;
import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.netty.handler.codec.EmptyHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one header block, collected as the HPACK decoder finds them:
 * pseudo-header fields by name, all others in the form gRPC's metadata takes. It checks
 * what {@code DefaultHttp2Headers} would check (RFC 9113 sections 8.2.1 and 8.3).
 * <p>
 * Of {@link Http2Headers} only what the decoder uses works: {@link #add} and
 * {@link #size}.
 */
final class RequestHeaders extends EmptyHeaders<CharSequence, CharSequence, Http2Headers> implements Http2Headers {

	private static final AsciiString CONNECT = AsciiString.cached("CONNECT");

	private static final AsciiString TE = AsciiString.cached("te");

	private static final AsciiString HOST = AsciiString.cached("host");

	private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");

	private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");

	private static final AsciiString GRPC_TIMEOUT = AsciiString.cached("grpc-timeout");

	private static final AsciiString GRPC_ENCODING = AsciiString.cached("grpc-encoding");

	private static final AsciiString GRPC_ACCEPT_ENCODING = AsciiString.cached("grpc-accept-encoding");

	private @Nullable AsciiString method;

	private @Nullable AsciiString scheme;

	private @Nullable AsciiString path;

	private @Nullable AsciiString authority;

	private @Nullable AsciiString host;

	private boolean severalHosts;

	private @Nullable AsciiString contentType;

	private @Nullable AsciiString encoding;

	private @Nullable AsciiString acceptEncoding;

	private long timeoutNanos = -1;

	private long contentLength = -1;

	private @Nullable String badMetadata;

	private @Nullable String blockFault;

	private boolean tooLarge;

	private byte[][] fields = new byte[16][];

	private int fieldCount;

	private int size;

	private int length;

	private @Nullable MethodRoute<?, ?> route;

	private @Nullable String authorityText;

	/**
	 * A block that breaks a rule of HTTP/2. Whose stream it ends is for the state of the
	 * connection to say.
	 */
	static RequestHeaders malformed(String fault) {
		RequestHeaders headers = new RequestHeaders();
		headers.blockFault = fault;
		return headers;
	}

	/**
	 * A block that is larger than the server takes.
	 */
	static RequestHeaders tooLarge(String fault) {
		RequestHeaders headers = malformed(fault);
		headers.tooLarge = true;
		return headers;
	}

	@Override
	public Http2Headers add(CharSequence name, CharSequence value) {
		this.size++;
		AsciiString fieldName = (AsciiString) name;
		AsciiString fieldValue = (AsciiString) value;
		this.length += fieldName.length() + fieldValue.length();
		if (!fieldName.isEmpty() && fieldName.byteAt(0) == ':') {
			addPseudoHeader(fieldName, fieldValue);
		}
		else {
			addRegular(fieldName, fieldValue);
		}
		return this;
	}

	private void addPseudoHeader(AsciiString name, AsciiString value) {
		switch (name.toString()) {
			case ":method" -> this.method = once(name, this.method, value);
			case ":scheme" -> this.scheme = once(name, this.scheme, value);
			case ":path" -> this.path = once(name, this.path, value);
			case ":authority" -> this.authority = once(name, this.authority, value);
			default -> throw new IllegalArgumentException("a request has no pseudo-header field " + name);
		}
	}

	private static AsciiString once(AsciiString name, @Nullable AsciiString present, AsciiString value) {
		if (present != null) {
			throw new IllegalArgumentException("the pseudo-header field " + name + " stands there twice");
		}
		FieldSyntax.checkValue(value);
		return value;
	}

	private void addRegular(AsciiString name, AsciiString value) {
		FieldSyntax.checkName(name);
		FieldSyntax.checkValue(value);
		if (name.equals(TE)) {
			return;
		}
		if (name.equals(HOST)) {
			this.severalHosts = (this.host != null);
			this.host = value;
			return;
		}
		if (name.equals(CONTENT_TYPE)) {
			this.contentType = value;
		}
		else if (name.equals(CONTENT_LENGTH)) {
			this.contentLength = contentLength(value);
		}
		else if (name.equals(GRPC_TIMEOUT)) {
			parseTimeout(value);
		}
		else if (name.equals(GRPC_ENCODING)) {
			this.encoding = value;
		}
		else if (name.equals(GRPC_ACCEPT_ENCODING)) {
			this.acceptEncoding = value;
		}
		if (MetadataCodec.isBinary(name)) {
			addBinary(name, value);
		}
		else {
			addField(bytes(name), bytes(value));
		}
	}

	private long contentLength(AsciiString value) {
		long length = 0;
		for (int i = 0; i < value.length(); i++) {
			int digit = value.byteAt(i) - '0';
			if (digit < 0 || digit > 9 || i == 18) {
				throw new IllegalArgumentException("the content-length is no number");
			}
			length = length * 10 + digit;
		}
		if (value.isEmpty() || (this.contentLength >= 0 && this.contentLength != length)) {
			throw new IllegalArgumentException("the content-length is empty, or there are two that differ");
		}
		return length;
	}

	private void parseTimeout(AsciiString value) {
		if (this.timeoutNanos >= 0) {
			this.badMetadata = "grpc-timeout stands there twice; a call has one deadline";
		}
		try {
			this.timeoutNanos = TimeoutCodec.parseNanos(value);
		}
		catch (IllegalArgumentException ex) {
			this.badMetadata = ex.getMessage();
		}
	}

	private void addBinary(AsciiString name, AsciiString value) {
		byte[] nameBytes = bytes(name);
		try {
			MetadataCodec.decodeBinaryValues(value.array(), value.arrayOffset(), value.length(),
					(decoded) -> addField(nameBytes, decoded));
		}
		catch (IllegalArgumentException ex) {
			this.badMetadata = "Metadata " + name + ": " + ex.getMessage();
		}
	}

	/**
	 * Metadata never changes the arrays of names and of ASCII values, so they may be
	 * those of the HPACK table.
	 */
	private static byte[] bytes(AsciiString text) {
		return text.isEntireArrayUsed() ? text.array() : text.toByteArray();
	}

	private void addField(byte[] name, byte[] value) {
		int index = 2 * this.fieldCount;
		if (index == this.fields.length) {
			this.fields = Arrays.copyOf(this.fields, 2 * index);
		}
		this.fields[index] = name;
		this.fields[index + 1] = value;
		this.fieldCount++;
	}

	/**
	 * Returns the metadata for one call. Service code may change it, so it shares nothing
	 * that can change with what another call gets.
	 */
	Metadata newMetadata() {
		byte[][] copy = Arrays.copyOf(this.fields, 2 * this.fieldCount);
		for (int i = 0; i < copy.length; i += 2) {
			byte[] name = copy[i];
			if (name.length > 4 && name[name.length - 1] == 'n' && name[name.length - 4] == '-') {
				copy[i + 1] = copy[i + 1].clone();
			}
		}
		return InternalMetadata.newMetadata(this.fieldCount, copy);
	}

	/**
	 * Whether a request may begin with this block (RFC 9113 section 8.3.1): nothing
	 * missing, nothing empty. CONNECT has other fields than the rest (section 8.5).
	 * @return {@code null}, or what is wrong
	 */
	@Nullable String requestFault() {
		if (this.blockFault != null) {
			return this.blockFault;
		}
		if (this.method == null || this.method.isEmpty()) {
			return "the request has no :method";
		}
		if (isConnect()) {
			return (this.authority != null && this.scheme == null && this.path == null) ? null
					: "CONNECT has :authority, and neither :scheme nor :path";
		}
		if (this.scheme == null || this.scheme.isEmpty()) {
			return "the request has no :scheme";
		}
		if (this.path == null || this.path.isEmpty()) {
			return "the request has no :path";
		}
		return null;
	}

	/**
	 * Whether a request may end with this block (RFC 9113 section 8.1).
	 */
	boolean areTrailers() {
		return this.blockFault == null && !hasPseudoHeaders();
	}

	/**
	 * How many bytes names and values have.
	 */
	int length() {
		return this.length;
	}

	boolean isTooLarge() {
		return this.tooLarge;
	}

	boolean hasPseudoHeaders() {
		return this.method != null || this.scheme != null || this.path != null || this.authority != null;
	}

	boolean isConnect() {
		return CONNECT.equals(this.method);
	}

	AsciiString requestMethod() {
		return (this.method != null) ? this.method : AsciiString.EMPTY_STRING;
	}

	AsciiString requestPath() {
		return (this.path != null) ? this.path : AsciiString.EMPTY_STRING;
	}

	@Nullable AsciiString contentType() {
		return this.contentType;
	}

	@Nullable String encoding() {
		return (this.encoding != null) ? this.encoding.toString() : null;
	}

	@Nullable String acceptEncoding() {
		return (this.acceptEncoding != null) ? this.acceptEncoding.toString() : null;
	}

	/**
	 * Returns how long the client waits.
	 * @return nanoseconds, or -1 if it does not say
	 */
	long timeoutNanos() {
		return this.timeoutNanos;
	}

	/**
	 * Returns how many bytes of DATA the client said it would send.
	 * @return bytes, or -1 if it did not say
	 */
	long contentLength() {
		return this.contentLength;
	}

	boolean severalHosts() {
		return this.authority == null && this.severalHosts;
	}

	@Nullable String badMetadata() {
		return this.badMetadata;
	}

	/**
	 * The authority: {@code :authority}, else {@code host} (case B11).
	 */
	@Nullable String requestAuthority() {
		if (this.authorityText == null) {
			AsciiString source = (this.authority != null) ? this.authority : this.host;
			this.authorityText = (source != null) ? source.toString() : null;
		}
		return this.authorityText;
	}

	@Nullable MethodRoute<?, ?> route() {
		return this.route;
	}

	void route(@Nullable MethodRoute<?, ?> route) {
		this.route = route;
	}

	@Override
	public int size() {
		return this.size;
	}

	@Override
	public boolean isEmpty() {
		return this.size == 0;
	}

	@Override
	public @Nullable CharSequence method() {
		return this.method;
	}

	@Override
	public @Nullable CharSequence scheme() {
		return this.scheme;
	}

	@Override
	public @Nullable CharSequence authority() {
		return this.authority;
	}

	@Override
	public @Nullable CharSequence path() {
		return this.path;
	}

	@Override
	public @Nullable CharSequence status() {
		return null;
	}

	@Override
	public Http2Headers method(CharSequence value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Http2Headers scheme(CharSequence value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Http2Headers authority(CharSequence value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Http2Headers path(CharSequence value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Http2Headers status(CharSequence value) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Iterator<CharSequence> valueIterator(CharSequence name) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean contains(CharSequence name, CharSequence value, boolean caseInsensitive) {
		throw new UnsupportedOperationException();
	}

}
