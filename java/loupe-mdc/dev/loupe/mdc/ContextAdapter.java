// SPDX-License-Identifier: Apache-2.0
package dev.loupe.mdc;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.slf4j.spi.MDCAdapter;

/** Another MDC whose changes are shown as a context. Any thread. */
final class ContextAdapter implements MDCAdapter {
    private final MDCAdapter mdc;
    private final List<String> keys;
    private final MdcType type;

    ContextAdapter(MDCAdapter mdc, List<String> keys) {
        this.mdc = mdc;
        this.keys = keys;
        type = new MdcType(keys);
    }

    // The thread's entries. MDC has no scopes, so a context replaces the previous one.
    private void show() {
        if (type.isActive()) {
            type.set(keys.stream().map(mdc::get).toArray(String[] ::new));
        }
    }

    @Override
    public void put(String key, String value) {
        mdc.put(key, value);
        if (keys.contains(key)) {
            show();
        }
    }

    @Override
    public void remove(String key) {
        mdc.remove(key);
        if (keys.contains(key)) {
            show();
        }
    }

    @Override
    public void clear() {
        mdc.clear();
        show();
    }

    @Override
    public void setContextMap(Map<String, String> values) {
        mdc.setContextMap(values);
        show();
    }

    @Override
    public String get(String key) {
        return mdc.get(key);
    }

    @Override
    public Map<String, String> getCopyOfContextMap() {
        return mdc.getCopyOfContextMap();
    }

    @Override
    public void pushByKey(String key, String value) {
        mdc.pushByKey(key, value);
    }

    @Override
    public String popByKey(String key) {
        return mdc.popByKey(key);
    }

    @Override
    public Deque<String> getCopyOfDequeByKey(String key) {
        return mdc.getCopyOfDequeByKey(key);
    }

    @Override
    public void clearDequeByKey(String key) {
        mdc.clearDequeByKey(key);
    }
}
