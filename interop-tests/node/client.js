'use strict';

/*
 * Each line of the input is the name of a test case and the port of the server. The
 * result of each is a line of the output.
 */

const path = require('node:path');
const readline = require('node:readline');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');
const cases = require('./cases');

const PROTO_FILES = path.join(__dirname, '..', 'target', 'proto');

const OPTIONS = {
	// a connection for each client, without anything between
	'grpc.use_local_subchannel_pool': 1,
	'grpc.enable_http_proxy': 0,
	'grpc.enable_retries': 0
};

async function run(name, port) {
	const { testing } = grpc.loadPackageDefinition(
		protoLoader.loadSync('grpc/testing/test.proto', { includeDirs: [PROTO_FILES] })).grpc;
	const open = (Service, options = {}) =>
		new Service(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), { ...OPTIONS, ...options });
	const client = open(testing.TestService);
	const others = {
		gzipClient: open(testing.TestService,
			{ 'grpc.default_compression_algorithm': grpc.compressionAlgorithms.gzip }),
		unimplemented: open(testing.UnimplementedService)
	};
	try {
		await cases[name](client, others);
	}
	finally {
		[client, ...Object.values(others)].forEach((opened) => opened.close());
	}
}

async function main() {
	if (process.argv[2] === '--list') {
		console.log(Object.keys(cases).join('\n'));
		return;
	}
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const [name, port] = line.split(' ');
		try {
			await run(name, port);
			console.log('RESULT passed');
		}
		catch (error) {
			console.log(error.stack);
			console.log('RESULT failed');
		}
	}
}

main();
