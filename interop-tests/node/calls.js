'use strict';

const { once } = require('node:events');
const grpc = require('@grpc/grpc-js');

/**
 * A unary call, with all that came back.
 */
function unary(client, method, request, metadata = new grpc.Metadata(), options = {}) {
	return new Promise((resolve) => {
		const result = {};
		const call = client[method](request, metadata, options, (error, response) => {
			result.response = response;
		});
		call.on('metadata', (headers) => {
			result.headers = headers;
		});
		call.on('status', (status) => resolve({ ...result, status }));
	});
}

/**
 * A call with a stream of requests and one response. The requests are written as the
 * connection takes them.
 */
function clientStream(client, method) {
	const result = {};
	let call;
	const ended = new Promise((resolve) => {
		call = client[method](new grpc.Metadata(), {}, (error, response) => {
			result.response = response;
		});
		call.on('error', () => {});
		call.on('status', (status) => resolve({ ...result, status }));
	});
	return { call, ended };
}

/**
 * What comes back on a call with a stream of responses.
 */
function responsesOf(call) {
	const result = { responses: [] };
	let ended = false;
	return new Promise((resolve) => {
		const resolveAtTheEnd = () => {
			if (result.status && (ended || result.status.code !== grpc.status.OK)) {
				resolve(result);
			}
		};
		call.on('metadata', (headers) => {
			result.headers = headers;
		});
		call.on('data', (response) => result.responses.push(response));
		call.on('error', () => {});
		call.on('end', () => {
			ended = true;
			resolveAtTheEnd();
		});
		call.on('status', (status) => {
			result.status = status;
			resolveAtTheEnd();
		});
	});
}

/**
 * Writes a request and waits until the connection takes more.
 */
async function write(call, request) {
	if (!call.write(request)) {
		await once(call, 'drain');
	}
}

module.exports = { clientStream, responsesOf, unary, write };
