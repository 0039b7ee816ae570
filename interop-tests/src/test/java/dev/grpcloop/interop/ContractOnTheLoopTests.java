package dev.grpcloop.interop;

/**
 * The contract suite with service code on the event loop.
 */
public class ContractOnTheLoopTests extends ContractSuite {

	public ContractOnTheLoopTests() {
		super(Mode.ON_THE_LOOP);
	}

}
