// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that keeps a journal of which thread worked for which trace when, known from the headers
 * of its requests and not from the spans.
 *
 * <pre>OtelServer JOURNAL agent|sdk platform|virtual</pre>
 *
 * With {@code agent} there is nothing about OpenTelemetry in how requests are served: that is the
 * agent's work. With {@code sdk} the program does it by hand. Either way a request's span gets its
 * name only when most of the work is done: the agent's in the handler, as routes are found; the one
 * by hand when it is attached nowhere any more, from another thread that ends it, too. It ends when
 * its standard input does.
 *
 * <pre>
 * OUTER  thread from to                    only in here there may be contexts
 * INNER  thread from to trace              in here there is one, of this trace
 * SPAN   thread from to trace span root id and here, of this span, whose local root ends with this
 *                                          name and has this id
 * TENANT thread from to tenant             in here the baggage has this tenant
 * NONE   thread from to                    in here there is none
 * </pre>
 */
public final class OtelServer {
    private static final int BUSY_NANOS = 30_000_000;
    private static final String NAME = "GET /work/{id}";
    private static final TextMapGetter<HttpExchange> HEADERS = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(HttpExchange exchange) {
            return exchange.getRequestHeaders().keySet();
        }

        @Override
        public String get(HttpExchange exchange, String key) {
            return exchange.getRequestHeaders().getFirst(key);
        }
    };

    private record Root(String name, String id) {
        static final Root UNKNOWN = new Root(null, "0".repeat(16));

        Root(String name, Span span) {
            this(name, span.getSpanContext().getSpanId());
        }
    }

    private static volatile Object sink;

    private final List<Journal> journals = Collections.synchronizedList(new ArrayList<>());
    private final AtomicLong sequence = new AtomicLong();
    private final Object lock = new Object();
    private final boolean isByHand;
    private final boolean isVirtual;
    private final ServerSocket echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService workers;
    private final Tracer tracer;

    private OtelServer(boolean isByHand, boolean isVirtual) throws Exception {
        this.isByHand = isByHand;
        this.isVirtual = isVirtual;
        workers = isVirtual ? virtualThreads() : new Pool();
        tracer = GlobalOpenTelemetry.getTracer("e2e");
    }

    public static void main(String[] args) throws Exception {
        boolean isByHand = args[1].equals("sdk");
        if (isByHand) {
            AutoConfiguredOpenTelemetrySdk.initialize();
        }
        OtelServer test = new OtelServer(isByHand, args[2].equals("virtual"));
        test.note("NONE", thread(), 0, Long.MAX_VALUE);
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        HttpContext context = server.createContext("/work", test::serve);
        if (isByHand) {
            context.getFilters().add(test.new ByHand());
        }
        ExecutorService servers = test.isVirtual ? virtualThreads() : test.new Pool();
        server.setExecutor(servers);
        server.start();
        Thread echoing = new Thread(test::echo, "echo");
        echoing.setDaemon(true);
        echoing.start();
        test.beAlone();
        System.out.println("port " + server.getAddress().getPort());
        while (System.in.read() >= 0) {
        }
        server.stop(0);
        for (ExecutorService executor : List.of(servers, test.workers)) {
            executor.shutdown();
            executor.awaitTermination(60, TimeUnit.SECONDS);
        }
        Journal.write(Path.of(args[0]), test.journals);
        System.out.println("done");
    }

    private static ExecutorService virtualThreads() throws Exception {
        return (ExecutorService)
                Executors.class.getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                        .invoke(null, VirtualThreads.factory());
    }

    private void note(Object... fields) {
        Journal journal = new Journal();
        journal.add(fields);
        journals.add(journal);
    }

    @SuppressWarnings("deprecation") // Thread.threadId() is there from JDK 19 on
    private static long thread() {
        return Thread.currentThread().getId();
    }

    /** Threads that are used again: what is outside of their tasks is outside of all requests. */
    private final class Pool extends ThreadPoolExecutor {
        private final ThreadLocal<Long> from = new ThreadLocal<>();

        Pool() {
            super(4, 4, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            from.set(Ticks.between());
        }

        @Override
        protected void afterExecute(Runnable task, Throwable problem) {
            note("OUTER", thread(), from.get(), Ticks.between());
        }
    }

    /** What the agent does otherwise. */
    private final class ByHand extends Filter {
        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            Context parent = GlobalOpenTelemetry.getPropagators().getTextMapPropagator().extract(
                    Context.current(), exchange, HEADERS);
            Span span = tracer.spanBuilder("GET")
                                .setParent(parent)
                                .setSpanKind(SpanKind.SERVER)
                                .startSpan();
            try (Scope scope = parent.with(span).makeCurrent()) {
                chain.doFilter(exchange);
            } finally {
                await(workers.submit(() -> {
                    span.updateName(NAME);
                    span.end();
                }));
            }
        }

        @Override
        public String description() {
            return "a span for each request";
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        long from = Ticks.between();
        String[] parent = exchange.getRequestHeaders().getFirst("traceparent").split("-");
        boolean isSampled = parent[3].equals("01");
        Span current = Span.current();
        Root root = isSampled ? new Root(NAME, current) : Root.UNKNOWN;
        work(parent[1], root);
        Runnable task = () -> handedOver(parent[1], root);
        await(workers.submit(isByHand ? Context.current().wrap(task) : task));
        if (!isByHand) {
            current.updateName(NAME);
        }
        note("INNER", thread(), from, Ticks.between(), parent[1]);
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    private static void await(Future<?> task) throws IOException {
        try {
            task.get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private void handedOver(String trace, Root root) {
        long from = Ticks.between();
        work(trace, root);
        note("INNER", thread(), from, Ticks.between(), trace);
    }

    // What the JVM makes events of, and in it a span by hand.
    private void work(String trace, Root root) {
        park();
        beBusy();
        Span child = tracer.spanBuilder("child").startSpan();
        try (Scope scope = child.makeCurrent()) {
            inSpan(child, trace, root, () -> {
                contend();
                talk();
                allocate();
            });
        } finally {
            child.end();
        }
        mark();
    }

    private void inSpan(Span span, String trace, Root root, Runnable what) {
        long from = Ticks.between();
        what.run();
        mark();
        note("SPAN", thread(), from, Ticks.between(), trace, span.getSpanContext().getSpanId(),
                root.name, root.id);
    }

    private void inTenant(String tenant) {
        long from = Ticks.between();
        mark();
        note("TENANT", thread(), from, Ticks.between(), tenant);
    }

    private void inNone() {
        long from = Ticks.between();
        mark();
        park();
        note("NONE", thread(), from, Ticks.between());
    }

    private void mark() {
        Marks.Mark mark = new Marks.Mark();
        mark.seq = sequence.incrementAndGet();
        mark.commit();
    }

    private void park() {
        LockSupport.parkNanos(2_000_000);
    }

    private void contend() {
        synchronized (lock) {
            park();
        }
    }

    private void allocate() {
        for (int i = 0; i < 40; i++) {
            sink = new byte[128 * 1024];
        }
    }

    private void beBusy() {
        long end = System.nanoTime() + BUSY_NANOS;
        long sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10_000; i++) {
                sum += Long.numberOfTrailingZeros(sum ^ i);
            }
        }
        sink = sum;
    }

    private void talk() {
        try (Socket socket = new Socket(echo.getInetAddress(), echo.getLocalPort())) {
            socket.getOutputStream().write('?');
            if (socket.getInputStream().read() != '?') {
                throw new IllegalStateException("no echo");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    // A thread outside of all requests.
    private void echo() {
        note("NONE", thread(), 0, Long.MAX_VALUE);
        while (true) {
            try (Socket socket = echo.accept()) {
                InputStream in = socket.getInputStream();
                OutputStream out = socket.getOutputStream();
                for (int c = in.read(); c >= 0; c = in.read()) {
                    park();
                    out.write(c);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    // A thread that has no requests but uses OpenTelemetry itself, and not always well.
    private void beAlone() throws Exception {
        Thread alone = isVirtual ? VirtualThreads.factory().newThread(this::misuse)
                                 : new Thread(this::misuse, "alone");
        alone.start();
        alone.join();
    }

    private void misuse() {
        inNone();
        long from = Ticks.between();
        Span outer = tracer.spanBuilder("outer").setNoParent().startSpan();
        String trace = outer.getSpanContext().getTraceId();
        Root root = new Root("renamed", outer);
        Scope first = outer.makeCurrent();
        Span inner = tracer.spanBuilder("inner").startSpan();
        inSpan(outer, trace, root, this::park);
        Scope second = inner.makeCurrent();
        inSpan(inner, trace, root, this::park);
        first.close(); // not its turn: OpenTelemetry passes it over
        inSpan(Span.current(), trace, root, this::park);
        outer.updateName("renamed");
        second.close();
        inSpan(outer, trace, root, this::park);
        try (Scope none = Context.root().makeCurrent()) {
            inNone();
        }
        inTenant(null);
        Baggage baggage = Baggage.builder().put("tenant", "alone").build();
        try (Scope withBaggage = baggage.storeInContext(Context.current()).makeCurrent()) {
            inTenant("alone");
        }
        inTenant(null);
        inSpan(outer, trace, root, this::park);
        second.close(); // again
        inSpan(outer, trace, root, this::park);
        first.close();
        inNone();
        inner.end();
        try (Scope late = inner.makeCurrent()) {
            inSpan(inner, trace, Root.UNKNOWN, this::park); // nobody knows its root any more
        }
        outer.end();
        try (Scope late = outer.makeCurrent()) {
            inSpan(outer, trace, root, this::park);
        }
        neverEnd();
        note("OUTER", thread(), from, Ticks.between());
        inNone();
    }

    // The names are those of the time when the span was attached.
    private void neverEnd() {
        Span span = tracer.spanBuilder("first").setNoParent().startSpan();
        String trace = span.getSpanContext().getTraceId();
        try (Scope scope = span.makeCurrent()) {
            inSpan(span, trace, new Root("first", span), this::park);
            span.updateName("second");
        }
        try (Scope scope = span.makeCurrent()) {
            inSpan(span, trace, new Root("second", span), this::park);
        }
    }
}
