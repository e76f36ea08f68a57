// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import org.apache.catalina.LifecycleListener;
import org.apache.catalina.startup.Tomcat;

/**
 * Tomcat with the web application that its argument names, until its input ends.
 */
final class ServletServer extends Tomcat {
    private ServletServer() {}

    // Its own has servlets for pages that nobody has here.
    @Override
    public LifecycleListener getDefaultWebXmlListener() {
        return event -> {};
    }

    public static void main(String[] args) throws Exception {
        ServletServer server = new ServletServer();
        server.setBaseDir(args[0] + "/tomcat");
        server.setPort(0);
        server.getEngine().getPipeline().addValve(new OutsideValve());
        server.addWebapp("/shop", args[0]);
        server.start();
        System.out.println("port " + server.getConnector().getLocalPort());
        while (System.in.read() >= 0) {
        }
        server.stop();
        System.exit(0);
    }
}
