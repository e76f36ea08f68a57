// SPDX-License-Identifier: Apache-2.0

import io.jafar.parser.api.UntypedJafarParser;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/** Reads every event of a recording with Jafar's untyped API, and of each its time and type. */
public final class ReadJafar {
    private ReadJafar() {}

    public static void main(String[] args) throws Exception {
        LongAdder count = new LongAdder();
        LongAdder sum = new LongAdder();
        try (UntypedJafarParser parser = UntypedJafarParser.open(Path.of(args[0]))) {
            parser.handle((type, values, control) -> {
                sum.add(type.getId() + ((Number) values.get("startTime")).longValue());
                count.increment();
            });
            parser.run();
        }
        System.out.println(count + " events " + sum);
    }
}
