package dev.grpcloop.boot.service;

import java.util.Set;

import io.grpc.MethodDescriptor;

/**
 * The names that {@code protoc-gen-grpc-java} gives to Java methods.
 */
public final class JavaMethodNames {

	/** Those that the generator knows, which leaves out {@code null} and {@code _}. */
	private static final Set<String> KEYWORDS = Set.of("abstract", "assert", "boolean", "break", "byte", "case",
			"catch", "char", "class", "const", "continue", "default", "do", "double", "else", "enum", "extends",
			"final", "finally", "float", "for", "goto", "if", "implements", "import", "instanceof", "int", "interface",
			"long", "native", "new", "package", "private", "protected", "public", "return", "short", "static",
			"strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try", "void",
			"volatile", "while", "true", "false");

	private JavaMethodNames() {
	}

	/**
	 * Returns the name of the Java method that serves an RPC.
	 * @param method the RPC
	 * @return the generated name, such as {@code sayHello} for {@code Say_hello}
	 */
	public static String of(MethodDescriptor<?, ?> method) {
		return of(String.valueOf(method.getBareMethodName()));
	}

	/**
	 * Returns the name of the Java method that serves an RPC: its first letter is lower
	 * case, a letter after underscores upper case, and a word of the language gets an
	 * underscore.
	 * @param rpc the RPC as the {@code .proto} file calls it, without its service
	 * @return the generated name
	 */
	public static String of(String rpc) {
		StringBuilder name = new StringBuilder(rpc.length() + 1);
		boolean upper = false;
		for (int i = 0; i < rpc.length(); i++) {
			char next = rpc.charAt(i);
			if (i == 0) {
				name.append(Character.toLowerCase(next));
			}
			else if (next == '_') {
				upper = true;
			}
			else {
				name.append(upper ? Character.toUpperCase(next) : next);
				upper = false;
			}
		}
		return KEYWORDS.contains(name.toString()) ? name.append('_').toString() : name.toString();
	}

}
