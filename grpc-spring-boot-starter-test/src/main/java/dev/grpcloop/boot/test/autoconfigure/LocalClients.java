package dev.grpcloop.boot.test.autoconfigure;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The clients that a context injects, which share one channel. It is no bean of its own,
 * so that an application which asks for channels does not find it.
 * <p>
 * The channel is closed before the server stops, which therefore need not wait for calls
 * that a test has left open.
 */
final class LocalClients implements ApplicationListener<ContextClosedEvent>, DisposableBean {

	private final LocalChannel channel;

	private final ApplicationContext context;

	LocalClients(RunningServers servers, ApplicationContext context) {
		this.channel = new LocalChannel(servers);
		this.context = context;
	}

	/**
	 * Makes a client.
	 * @param type a type of channel or stub
	 * @return a client of that type
	 */
	Object create(Class<?> type) {
		return ClientType.create(type, this.channel);
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			destroy();
		}
	}

	@Override
	public void destroy() {
		this.channel.close();
	}

}
