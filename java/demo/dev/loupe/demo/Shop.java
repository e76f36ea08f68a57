// SPDX-License-Identifier: Apache-2.0
package dev.loupe.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** The work of the service for its customers. Nothing here knows about contexts. */
final class Shop implements AutoCloseable {
    private static final int ITEM_COUNT = 1_000;
    private static final int STOCK_MAX = 40;
    private static final int SIGNATURE_ITERATIONS = 4_000; // a few milliseconds of work

    /** Orders between writes to the disk, for which all other orders wait. */
    private static final int ORDERS_PER_FORCE = 16;

    private final int[] prices = ThreadLocalRandom.current().ints(ITEM_COUNT, 99, 9_999).toArray();
    private final AtomicIntegerArray stock = new AtomicIntegerArray(ITEM_COUNT);
    private final Discounts discounts = new Discounts();
    private final AtomicLong nextOrder = new AtomicLong(1);
    private final FileChannel log;
    private int ordersSinceForce;

    Shop(Path logFile) throws IOException {
        for (int item = 0; item < ITEM_COUNT; item++) {
            stock.set(item, ThreadLocalRandom.current().nextInt(STOCK_MAX));
        }
        log = FileChannel.open(logFile, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    int itemCount() {
        return ITEM_COUNT;
    }

    /** Returns the price of the items for a tenant. Quick: most requests need no more than this. */
    long priceOf(String tenant, int[] items) {
        long cents = 0;
        for (int item : items) {
            cents += prices[item];
        }
        return cents * (100 - discounts.percentOf(tenant)) / 100;
    }

    /** Takes the money: signs the order and writes it down. Returns the order's number. */
    long pay(long cents) throws IOException {
        OrderEvent event = new OrderEvent();
        event.begin();
        event.order = nextOrder.getAndIncrement();
        event.cents = cents;
        writeDown(event.order + " " + event.cents + " " + sign(event.order, event.cents) + "\n");
        event.commit();
        return event.order;
    }

    /** Packs an order. Items that have run out are noted and ordered again. */
    void pack(long order, int[] items) {
        FulfilmentEvent event = new FulfilmentEvent();
        event.begin();
        event.order = order;
        for (int item : items) {
            if (stock.getAndDecrement(item) == 0) {
                BackorderEvent backorder = new BackorderEvent();
                backorder.item = item;
                backorder.commit();
                stock.set(item, STOCK_MAX);
            }
        }
        event.commit();
    }

    private static String sign(long order, long cents) {
        char[] text = (order + ":" + cents).toCharArray();
        byte[] salt = ByteBuffer.allocate(Long.BYTES).putLong(order).array();
        try {
            SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
            PBEKeySpec spec = new PBEKeySpec(text, salt, SIGNATURE_ITERATIONS, 128);
            return java.util.HexFormat.of().formatHex(factory.generateSecret(spec).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has PBKDF2WithHmacSHA256", e);
        }
    }

    private synchronized void writeDown(String line) throws IOException {
        log.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
        if (++ordersSinceForce == ORDERS_PER_FORCE) {
            log.force(false);
            ordersSinceForce = 0;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        log.close();
    }
}
