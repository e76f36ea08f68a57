// SPDX-License-Identifier: Apache-2.0
package dev.loupe.testapps;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Requests that ask PostgreSQL, whose address -Dcauses.database has: with a pool of {@value
 * #CONNECTIONS} connections, and a query for each of {@value #ROWS} rows.
 */
@RestController
class SlowQueries {
    private static final int CONNECTIONS = 2;
    private static final int ROWS = 40;

    private final DataSource pool = open(CONNECTIONS);
    private final DataSource others = open(8);

    private static DataSource open(int connections) {
        String url = System.getProperty("causes.database");
        if (url == null) {
            return null;
        }
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }

    @GetMapping("/pool")
    String pool() throws SQLException {
        try (Connection connection = borrow();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT pg_sleep(0.15)")) {
            statement.execute();
        }
        return "found";
    }

    private Connection borrow() throws SQLException {
        return pool.getConnection();
    }

    @GetMapping("/rows")
    String rows() throws SQLException {
        try (Connection connection = others.getConnection()) {
            for (int row = 0; row < ROWS; row++) {
                find(connection);
            }
        }
        return "all";
    }

    private static void find(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_sleep(0.003)")) {
            statement.execute();
        }
    }
}
