// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/** Loads a recording with the parser of JDK Mission Control. */
public final class ReadJmc {
    private ReadJmc() {}

    public static void main(String[] args) throws Exception {
        IItemCollection events = JfrLoaderToolkit.loadEvents(new File(args[0]));
        long count = 0;
        for (IItemIterable ofOneType : events) {
            count += ofOneType.getItemCount();
        }
        System.out.println(count + " events");
    }
}
