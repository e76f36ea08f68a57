// SPDX-License-Identifier: Apache-2.0

import dev.loupe.RecordingContext;
import dev.loupe.RecordingContextKey;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;

/**
 * A service whose requests hand four tasks to other threads each: a page is rendered
 * ({@code supplyAsync}) and packed ({@code thenApply}), its orders are counted ({@code submit}),
 * and a line is written to a log ({@code execute}). See bench/propagation.
 *
 * <pre>java -cp loupe.jar TaskService.java (nothing|contexts) ORDERS</pre>
 *
 * Each line of the input is a number of requests to serve, and is answered by a line once they are
 * served. With {@code contexts} each request is a RecordingContext. ORDERS is the size of a page.
 */
public final class TaskService {
    private static final int IN_FLIGHT = 4;
    private static final RecordingContextKey ENDPOINT = RecordingContextKey.forName("endpoint");

    private final ExecutorService server = Executors.newFixedThreadPool(2);
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final Semaphore places = new Semaphore(IN_FLIGHT);
    private final boolean hasContexts;
    private final int orders; // of a page
    private final AtomicLong sum = new AtomicLong(); // so that no work is left out

    private TaskService(boolean hasContexts, int orders) {
        this.hasContexts = hasContexts;
        this.orders = orders;
    }

    public static void main(String[] args) throws Exception {
        TaskService service =
                new TaskService(args[0].equals("contexts"), Integer.parseInt(args[1]));
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            service.serve(Integer.parseInt(line));
            System.out.println("served");
        }
        System.exit(service.sum.get() == 0 ? 1 : 0);
    }

    private void serve(int requests) throws InterruptedException {
        for (int i = 0; i < requests; i++) {
            places.acquire();
            int number = i;
            server.execute(() -> {
                try {
                    sum.addAndGet(hasContexts ? answerInContext(number) : answer(number));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                } finally {
                    places.release();
                }
            });
        }
        places.acquire(IN_FLIGHT);
        places.release(IN_FLIGHT);
    }

    @SuppressWarnings("try")
    private long answerInContext(int number) throws Exception {
        try (RecordingContext c = RecordingContext.where(ENDPOINT, "/orders").build()) {
            return answer(number);
        }
    }

    private long answer(int number) throws Exception {
        CompletableFuture<byte[]> page =
                CompletableFuture.supplyAsync(() -> render(number), workers).thenApply(this::pack);
        Future<Integer> count = workers.submit(() -> count(number));
        workers.execute(() -> log(number));
        return page.get().length + count.get();
    }

    private String render(int number) {
        StringBuilder page = new StringBuilder("[");
        for (int i = 0; i < orders; i++) {
            long id = (number * 31L + i) * 0x9e3779b97f4a7c15L;
            page.append("{\"id\":").append(id >>> 40).append(",\"customer\":\"");
            page.append(Long.toHexString(id))
                    .append("\",\"amount\":")
                    .append((id & 0xffff) / 100.0);
            page.append("},");
        }
        return page.append("]").toString();
    }

    private byte[] pack(String page) {
        Deflater deflater = new Deflater();
        try {
            deflater.setInput(page.getBytes(StandardCharsets.UTF_8));
            deflater.finish();
            byte[] out = new byte[page.length()];
            return Arrays.copyOf(out, deflater.deflate(out));
        } finally {
            deflater.end();
        }
    }

    private int count(int number) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(
                render(number).getBytes(StandardCharsets.UTF_8));
        return digest[0] & 0xff;
    }

    private void log(int number) {
        sum.addAndGet(String.format("%08d served", number).hashCode());
    }
}
