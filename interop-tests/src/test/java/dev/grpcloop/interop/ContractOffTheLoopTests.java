package dev.grpcloop.interop;

/**
 * The contract suite with service code off the event loop.
 */
public class ContractOffTheLoopTests extends ContractSuite {

	public ContractOffTheLoopTests() {
		super(Mode.OFF_THE_LOOP);
	}

}
