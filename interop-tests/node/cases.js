'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const grpc = require('@grpc/grpc-js');
const { clientStream, responsesOf, unary, write } = require('./calls');

const { CANCELLED, DEADLINE_EXCEEDED, OK, RESOURCE_EXHAUSTED, UNIMPLEMENTED, UNKNOWN } = grpc.status;

const KIB = 1024;
const MIB = 1024 * KIB;
const SIZES = [31415, 9, 2653, 58979];
const SECOND_MICROS = 1_000_000;

const payload = (size) => ({ body: Buffer.alloc(size, 'x') });
const sizes = (...wanted) => ({ responseParameters: wanted.map((size) => ({ size })) });
const sizesOf = (responses) => responses.map((response) => response.payload?.body.length ?? 0);
const inMillis = (millis) => ({ deadline: Date.now() + millis });

/**
 * The connection of a call that ended badly serves the next one.
 */
async function stillServes(client) {
	assert.equal((await unary(client, 'emptyCall', {})).status.code, OK);
}

/**
 * The server resets a stream whose deadline has passed. The client's timer comes first,
 * unless the client's process had to wait for a processor; it then knows of the reset
 * only.
 */
function assertExpired(status) {
	assert.ok(status.code === DEADLINE_EXCEEDED || status.code === CANCELLED, status.details);
}

/**
 * A request whose message has exactly this length.
 */
function requestOfLength(client, length) {
	const lengthOf = (request) => client.UnaryCall.requestSerialize(request).length;
	const request = { payload: payload(length) };
	request.payload = payload(length - (lengthOf(request) - length));
	assert.equal(lengthOf(request), length);
	return request;
}

/**
 * Each of these is a test case. It gets a client of the test service on a connection of
 * its own, and two others: one that compresses its requests, and one of a service that
 * the server does not have.
 */
module.exports = {

	// the kinds of call

	async emptyUnary(client) {
		const { response, status } = await unary(client, 'emptyCall', {});
		assert.equal(status.code, OK);
		assert.deepEqual(response, {});
	},

	async largeUnary(client) {
		const { response, status } = await unary(client, 'unaryCall',
			{ responseSize: 314159, payload: payload(271828) });
		assert.equal(status.code, OK);
		assert.equal(response.payload.body.length, 314159);
	},

	async clientStreaming(client) {
		const { call, ended } = clientStream(client, 'streamingInputCall');
		for (const size of SIZES) {
			await write(call, { payload: payload(size) });
		}
		call.end();
		const { response, status } = await ended;
		assert.equal(status.code, OK);
		assert.equal(response.aggregatedPayloadSize, SIZES.reduce((sum, size) => sum + size));
	},

	async serverStreaming(client) {
		const { responses, status } = await responsesOf(client.streamingOutputCall(sizes(...SIZES)));
		assert.equal(status.code, OK);
		assert.deepEqual(sizesOf(responses), SIZES);
	},

	async pingPong(client) {
		const call = client.fullDuplexCall();
		const result = responsesOf(call);
		for (const size of SIZES) {
			call.write({ ...sizes(size), payload: payload(27182) });
			const [response] = await once(call, 'data');
			assert.equal(response.payload.body.length, size);
		}
		call.end();
		const { responses, status } = await result;
		assert.equal(status.code, OK);
		assert.equal(responses.length, SIZES.length);
	},

	async responsesAfterAllRequests(client) {
		const call = client.halfDuplexCall();
		const result = responsesOf(call);
		SIZES.forEach((size) => call.write(sizes(size)));
		call.end();
		const { responses, status } = await result;
		assert.equal(status.code, OK);
		assert.deepEqual(sizesOf(responses), SIZES);
	},

	async emptyStream(client) {
		const call = client.fullDuplexCall();
		call.end();
		const { responses, status } = await responsesOf(call);
		assert.equal(status.code, OK);
		assert.deepEqual(responses, []);
	},

	async aHundredCallsAtOnce(client) {
		const calls = Array.from({ length: 100 }, (_, i) => unary(client, 'unaryCall', { responseSize: 1000 + i }));
		(await Promise.all(calls)).forEach(({ response, status }, i) => {
			assert.equal(status.code, OK);
			assert.equal(response.payload.body.length, 1000 + i);
		});
	},

	// flow control

	async moreRequestsThanTheWindow(client) {
		const { call, ended } = clientStream(client, 'streamingInputCall');
		for (let i = 0; i < 64; i++) {
			await write(call, { payload: payload(256 * KIB) });
		}
		call.end();
		const { response, status } = await ended;
		assert.equal(status.code, OK);
		assert.equal(response.aggregatedPayloadSize, 16 * MIB);
	},

	async moreResponsesThanTheWindow(client) {
		const call = client.streamingOutputCall(sizes(...Array(64).fill(256 * KIB)));
		call.pause();
		await once(call, 'metadata');
		await stillServes(client);
		const result = responsesOf(call);
		call.resume();
		const { responses, status } = await result;
		assert.equal(status.code, OK);
		assert.deepEqual(sizesOf(responses), Array(64).fill(256 * KIB));
	},

	// compression

	async compressedRequest(client, { gzipClient }) {
		const { response, status } = await unary(gzipClient, 'unaryCall',
			{ responseSize: 314159, payload: payload(271828) });
		assert.equal(status.code, OK);
		assert.equal(response.payload.body.length, 314159);
	},

	async compressedResponse(client) {
		const { response, status } = await unary(client, 'unaryCall',
			{ responseSize: 314159, responseCompressed: { value: true } });
		assert.equal(status.code, OK);
		assert.equal(response.payload.body.length, 314159);
	},

	// metadata

	async metadata(client) {
		const sent = new grpc.Metadata();
		sent.set('x-grpc-test-echo-initial', 'test_initial_metadata_value');
		sent.set('x-grpc-test-echo-trailing-bin', Buffer.from([0xab, 0xab, 0xab]));
		const { headers, status } = await unary(client, 'unaryCall', { responseSize: 10 }, sent);
		assert.deepEqual(headers.get('x-grpc-test-echo-initial'), ['test_initial_metadata_value']);
		assert.deepEqual(status.metadata.get('x-grpc-test-echo-trailing-bin'), [Buffer.from([0xab, 0xab, 0xab])]);
		assert.deepEqual(headers.get('x-grpc-test-echo-trailing-bin'), []);
		assert.deepEqual(status.metadata.get('x-grpc-test-echo-initial'), []);
	},

	async metadataOfAStream(client) {
		const sent = new grpc.Metadata();
		sent.set('x-grpc-test-echo-initial', 'value');
		sent.set('x-grpc-test-echo-trailing-bin', Buffer.from([1, 2]));
		const call = client.fullDuplexCall(sent);
		const result = responsesOf(call);
		call.write(sizes(1));
		call.end();
		const { headers, status } = await result;
		assert.deepEqual(headers.get('x-grpc-test-echo-initial'), ['value']);
		assert.deepEqual(status.metadata.get('x-grpc-test-echo-trailing-bin'), [Buffer.from([1, 2])]);
	},

	async binaryMetadataOfEveryLengthAndByte(client) {
		const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
		for (const value of [0, 1, 2, 3, 4, 5, 256].map((length) => bytes.subarray(256 - length))) {
			const sent = new grpc.Metadata();
			sent.set('x-grpc-test-echo-trailing-bin', value);
			const { status } = await unary(client, 'emptyCall', {}, sent);
			assert.equal(status.code, OK);
			assert.deepEqual(status.metadata.get('x-grpc-test-echo-trailing-bin'), [Buffer.from(value)]);
		}
	},

	async metadataOfACallIsNotSeenByTheNext(client) {
		const sent = new grpc.Metadata();
		sent.set('x-grpc-test-echo-initial', 'mine');
		await unary(client, 'emptyCall', {}, sent);
		const { headers } = await unary(client, 'emptyCall', {});
		assert.deepEqual(headers.get('x-grpc-test-echo-initial'), []);
	},

	// statuses

	async statusCodeAndMessage(client) {
		const responseStatus = { code: UNKNOWN, message: 'test status message' };
		const { status } = await unary(client, 'unaryCall', { responseStatus });
		assert.equal(status.code, UNKNOWN);
		assert.equal(status.details, 'test status message');
		const call = client.fullDuplexCall();
		call.write({ responseStatus });
		call.end();
		const streamed = (await responsesOf(call)).status;
		assert.equal(streamed.code, UNKNOWN);
		assert.equal(streamed.details, 'test status message');
	},

	async specialStatusMessage(client) {
		const message = '\t\n100 % of "a/b?c=d&e" \r\nBMP ☺ and not BMP 😈\t\n';
		const { status } = await unary(client, 'unaryCall', { responseStatus: { code: UNKNOWN, message } });
		assert.equal(status.code, UNKNOWN);
		assert.equal(status.details, message);
	},

	async unimplementedMethod(client) {
		assert.equal((await unary(client, 'unimplementedCall', {})).status.code, UNIMPLEMENTED);
		await stillServes(client);
	},

	async unimplementedService(client, { unimplemented }) {
		assert.equal((await unary(unimplemented, 'unimplementedCall', {})).status.code, UNIMPLEMENTED);
	},

	// deadlines

	async deadlineOfAStreamOfResponses(client) {
		const request = { responseParameters: [{ size: 1 }, { size: 1, intervalUs: 60 * SECOND_MICROS }] };
		const { responses, status } = await responsesOf(client.streamingOutputCall(request, inMillis(500)));
		assertExpired(status);
		assert.deepEqual(sizesOf(responses), [1]);
		await stillServes(client);
	},

	async deadlineOfAServerThatSleeps(client) {
		const call = client.fullDuplexCall(inMillis(50));
		const result = responsesOf(call);
		call.write({ payload: payload(27182) });
		assertExpired((await result).status);
		await stillServes(client);
	},

	async deadlineThatTheServerAloneKnows(client) {
		const metadata = new grpc.Metadata();
		metadata.set('grpc-timeout', '100m');
		const { status } = await responsesOf(client.fullDuplexCall(metadata));
		assert.equal(status.code, CANCELLED);
		await stillServes(client);
	},

	async deadlineThatIsKept(client) {
		const { status } = await unary(client, 'emptyCall', {}, new grpc.Metadata(), inMillis(60_000));
		assert.equal(status.code, OK);
	},

	// cancellation

	async cancelAfterBegin(client) {
		const { call, ended } = clientStream(client, 'streamingInputCall');
		await write(call, { payload: payload(10) });
		call.cancel();
		assert.equal((await ended).status.code, CANCELLED);
		await stillServes(client);
	},

	async cancelAfterTheFirstResponse(client) {
		const call = client.fullDuplexCall();
		const result = responsesOf(call);
		call.write({ ...sizes(31415), payload: payload(27182) });
		await once(call, 'data');
		call.cancel();
		assert.equal((await result).status.code, CANCELLED);
		await stillServes(client);
	},

	async cancelOfAStreamThatNobodyReads(client) {
		const call = client.streamingOutputCall(sizes(...Array(64).fill(256 * KIB)));
		call.pause();
		await once(call, 'metadata');
		const result = responsesOf(call);
		call.cancel();
		assert.equal((await result).status.code, CANCELLED);
		await stillServes(client);
	},

	// the largest message

	async messageOfFourMebibytes(client) {
		const { status } = await unary(client, 'unaryCall', requestOfLength(client, 4 * MIB));
		assert.equal(status.code, OK, status.details);
	},

	async messageOfOneByteMore(client) {
		const { status } = await unary(client, 'unaryCall', requestOfLength(client, 4 * MIB + 1));
		assert.equal(status.code, RESOURCE_EXHAUSTED);
		assert.match(status.details, /4194304/);
		await stillServes(client);
	},

	async tooLargeAMessageOfAStream(client) {
		const call = client.fullDuplexCall();
		const result = responsesOf(call);
		call.write(sizes(5));
		await once(call, 'data');
		call.write({ payload: payload(5 * MIB) });
		const { responses, status } = await result;
		assert.equal(status.code, RESOURCE_EXHAUSTED);
		assert.deepEqual(sizesOf(responses), [5]);
		await stillServes(client);
	}

};
