// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/sampler.h"

#include "common/base/lp_hash.h"
#include "common/base/lp_slice.h"

// Design notes
//
// To take a sample of `count` events out of all, each with the same chance, an event is kept with
// the chance (events that may still be kept) / (events that are still to come). Where fewer events
// come than were estimated, the room that is left serves the rest of the unit: the sampler pays
// back its debt.
//
// The number of events that are still to come is estimated in two ways. By rate: as many for the
// rest of the time as came in each of the last windows. By count: the events that a unit usually
// has, minus those that came already. The rate follows any growth, but takes the beginning of a
// burst for a flood, and the silence before it for the end; the count knows bursts, but no change.
// So the weight of the rate is the share of windows in which there are events, and the count has
// the rest.
//
// Where there are more events than usual, or nothing is known yet, the rate alone counts, and the
// rate within the current window, too: else a flood would have used up all room before the window
// is over.

typedef unsigned __int128 wide;

enum {
    FIXED_BITS = 16,
    FIXED_ONE = 1 << FIXED_BITS,
    WINDOWS = 10,             // in a unit; a unit of fewer nanoseconds is one window
    WINDOWS_REMEMBERED = 8,   // older windows count for less and less
    FREE_SHARE = 8,           // one part in so many of count is kept while nothing is known yet
    COUNT_BITS = 32,          // no chunk has more events
    SIZE_MAX_FIXED = 1 << 30, // larger sizes count as this: they would overflow
};

static const int64_t DAY_NS = INT64_C(86400) * 1000000000; // the longest unit
static const uint64_t FIXED_MAX = (uint64_t)1 << (COUNT_BITS + FIXED_BITS);

void
compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle)
{
    *sampler = (compact_sampler){
        .throttle = throttle,
        .random = lp_hash_text(LP_HASH_FIXED, type) ^ salt,
        .time_ns = INT64_MIN,
    };
}

void
compact_sampler_restart(compact_sampler *sampler)
{
    sampler->time_ns = INT64_MIN;
    sampler->seen = 0;
    sampler->kept = 0;
    sampler->window_seen = 0;
}

bool
compact_sampler_is_sound(const compact_sampler *s)
{
    return s->throttle.per_ns > 0 && s->throttle.per_ns <= DAY_NS &&
           s->kept <= (uint64_t)s->throttle.count && s->window_count <= WINDOWS_REMEMBERED &&
           s->rate_fixed <= FIXED_MAX && s->spread_fixed <= FIXED_ONE &&
           s->usual_fixed <= FIXED_MAX;
}

// next_random returns 32 random bits: the hash of a counter.
static uint64_t
next_random(compact_sampler *s)
{
    s->random++;
    const lp_slice counter = {(const uint8_t *)&s->random, sizeof(s->random)};
    return lp_hash_bytes(LP_HASH_FIXED, counter) >> 32;
}

static uint64_t
fixed(uint64_t count)
{
    return count < FIXED_MAX >> FIXED_BITS ? count << FIXED_BITS : FIXED_MAX;
}

// move_towards moves an average by a part of its distance from value.
static uint64_t
move_towards(uint64_t average, uint64_t value, uint64_t part)
{
    return value >= average ? average + (value - average) / part
                            : average - (average - value) / part;
}

// A place in the unit.
typedef struct place {
    int64_t unit;      // the number of units before it, since 1970
    int64_t in_unit;   // nanoseconds since the unit began
    int64_t window;    // of the unit
    int64_t window_ns; // how long a window is
} place;

static place
place_of(const compact_sampler *s, int64_t time_ns)
{
    int64_t per_ns = s->throttle.per_ns;
    int64_t rest = time_ns % per_ns;
    place p = {
        .unit = time_ns / per_ns - (rest < 0),
        .in_unit = rest < 0 ? rest + per_ns : rest,
        .window_ns = per_ns >= WINDOWS ? per_ns / WINDOWS : per_ns,
    };
    p.window = p.in_unit / p.window_ns;
    return p;
}

static void
end_window(compact_sampler *s)
{
    s->window_count += s->window_count < WINDOWS_REMEMBERED;
    s->rate_fixed = move_towards(s->rate_fixed, fixed(s->window_seen), s->window_count);
    s->spread_fixed =
        move_towards(s->spread_fixed, s->window_seen > 0 ? FIXED_ONE : 0, s->window_count);
    s->window_seen = 0;
}

static void
end_unit(compact_sampler *s)
{
    s->usual_fixed =
        s->has_usual ? move_towards(s->usual_fixed, fixed(s->seen), 2) : fixed(s->seen);
    s->has_usual = true;
    s->seen = 0;
    s->kept = 0;
}

// move_to ends the windows and the unit that are over at a place. Whole units without events do not
// count: they show nothing about the units with events.
static void
move_to(compact_sampler *s, const place *to)
{
    if (s->time_ns == INT64_MIN) {
        return;
    }
    place from = place_of(s, s->time_ns);
    if (from.unit != to->unit) {
        for (; from.window * from.window_ns < s->throttle.per_ns; from.window++) {
            end_window(s);
        }
        end_unit(s);
        from.window = 0;
    }
    for (; from.window < to->window; from.window++) {
        end_window(s);
    }
}

static uint64_t
square_root(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << (COUNT_BITS / 2); bit > 0; bit /= 2) {
        root += (root + bit) * (root + bit) <= x ? bit : 0;
    }
    return root;
}

// rate_now returns the events in a window, if the current one goes on as it began: the lowest
// number that chance allows for.
static uint64_t
rate_now(const compact_sampler *s, const place *at)
{
    uint64_t chance = 2 * square_root(s->window_seen);
    uint64_t sure = s->window_seen > chance ? s->window_seen - chance : 0;
    int64_t passed_ns = at->in_unit - at->window * at->window_ns + 1;
    wide rate = (wide)fixed(sure) * (uint64_t)at->window_ns / (uint64_t)passed_ns;
    return rate < FIXED_MAX ? (uint64_t)rate : FIXED_MAX;
}

// estimate returns how many events are still to come in the unit, the current one included.
static wide
estimate(const compact_sampler *s, const place *at)
{
    uint64_t before = fixed(s->seen - 1);
    uint64_t left_ns = (uint64_t)(s->throttle.per_ns - at->in_unit);
    bool is_usual = before < s->usual_fixed;
    uint64_t rate = s->rate_fixed;
    if (!is_usual) {
        uint64_t now = rate_now(s, at);
        rate = now > rate ? now : rate;
    }
    wide by_rate = (wide)rate * left_ns / (uint64_t)at->window_ns;
    if (!is_usual) {
        return by_rate;
    }
    wide by_count = s->usual_fixed - before;
    if (at->window_ns == s->throttle.per_ns) { // a nanosecond, in which there is no time left
        return by_count;
    }
    return (by_rate * s->spread_fixed + by_count * (FIXED_ONE - s->spread_fixed)) / FIXED_ONE;
}

// may_keep_all returns whether there is room for all events that can be expected now.
static bool
may_keep_all(const compact_sampler *s)
{
    uint64_t count = (uint64_t)s->throttle.count;
    bool is_usual = fixed(s->seen - 1) < s->usual_fixed;
    return is_usual ? s->usual_fixed <= fixed(count) : s->kept * FREE_SHARE < count;
}

// decide keeps an event of the usual size with the chance c = room / coming, and an event of s
// times the usual size with the chance s * c / (1 - c + s * c). Then a kept event, with the dropped
// ones before it, stands on average for its own size, whatever sizes there are
// (allocation-samples.md).
static bool
decide(compact_sampler *s, const place *at, uint64_t size)
{
    uint64_t random = next_random(s);
    uint64_t left = (uint64_t)s->throttle.count - s->kept;
    if (left == 0 || may_keep_all(s)) {
        return left > 0;
    }
    wide room = (wide)left << FIXED_BITS;
    wide coming = estimate(s, at);
    // If so few events are over the room that it may be chance, the event is kept: the square of a
    // chance difference is about the number of events that are coming.
    wide over = coming > room ? coming - room : 0;
    wide wanted = room * size;
    return over * over <= coming << FIXED_BITS ||
           (over * COMPACT_SAMPLER_USUAL_SIZE + wanted) * random < wanted << 32;
}

// see counts an event, and returns its place.
static place
see(compact_sampler *s, int64_t time_ns)
{
    time_ns = time_ns > s->time_ns ? time_ns : s->time_ns;
    place at = place_of(s, time_ns);
    move_to(s, &at);
    s->time_ns = time_ns;
    s->seen++;
    s->window_seen++;
    return at;
}

bool
compact_sampler_keep(compact_sampler *sampler, int64_t time_ns)
{
    return compact_sampler_keep_sized(sampler, time_ns, COMPACT_SAMPLER_USUAL_SIZE);
}

bool
compact_sampler_keep_sized(compact_sampler *sampler, int64_t time_ns, uint64_t size)
{
    place at = see(sampler, time_ns);
    bool is_kept = decide(sampler, &at, size < SIZE_MAX_FIXED ? size : SIZE_MAX_FIXED);
    sampler->kept += is_kept;
    return is_kept;
}

void
compact_sampler_force(compact_sampler *sampler, int64_t time_ns)
{
    (void)see(sampler, time_ns);
    sampler->kept += sampler->kept < (uint64_t)sampler->throttle.count;
}
