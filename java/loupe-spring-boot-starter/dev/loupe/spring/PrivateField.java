// SPDX-License-Identifier: Apache-2.0
package dev.loupe.spring;

import java.lang.reflect.Field;
import org.apache.commons.logging.LogFactory;
import org.springframework.util.ReflectionUtils;

/** A field of a class of Spring that has a setter and no getter. */
final class PrivateField {
    private PrivateField() {}

    /**
     * Returns an accessible field.
     *
     * @param missing says in the log's warning what does not work without the field
     * @return null, with a warning, if this version of Spring has no such field
     */
    static Field find(Class<?> owner, String name, Class<?> type, String missing) {
        Field field = ReflectionUtils.findField(owner, name, type);
        if (field == null) {
            LogFactory.getLog(PrivateField.class)
                    .warn(missing + ": this version of Spring is not known");
        } else {
            ReflectionUtils.makeAccessible(field);
        }
        return field;
    }
}
