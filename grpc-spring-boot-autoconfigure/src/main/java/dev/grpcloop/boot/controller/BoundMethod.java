package dev.grpcloop.boot.controller;

/**
 * A method that serves an RPC, ready to be called.
 *
 * @param name how messages call it, such as {@code GreeterController.hello(HelloRequest)}
 * @param rpc what it serves
 * @param shape what it takes and gives
 * @param invoker calls it
 */
record BoundMethod(String name, RpcContract rpc, MethodShape shape, MethodInvoker invoker) {

	@Override
	public String toString() {
		return this.name + ", which serves " + this.rpc.fullName() + ",";
	}

}
