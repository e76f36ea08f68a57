// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/sampler.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

// Design notes
//
// There are two estimates of the events that are still to come in a unit of several slots. By rate:
// the remaining time has as many as the last windows. By count: the events of a usual unit, minus
// those that came already. The rate follows growth, but mistakes the start of a burst for a flood,
// and the silence before it for the end. The count knows bursts, but follows no change. So the
// weight of the rate is the square of the share of windows with events; the count has the rest.
//
// If there are more events than usual, or nothing is known yet, only the rate counts. It is the
// highest of four: of the last windows, and of the current window, part and slot. So a flood is
// spread over the remaining time, from its first slot on. A new burst looks the same, and most of
// it is dropped: the square root of count is kept at once, as by chance from an even spread. At no
// time more is kept than an even spread has by then, plus that number.
//
// A steady load that grows is no longer usual: if events came in most windows, and come much faster
// in the current one, the rate of the current window counts.

typedef unsigned __int128 wide;

enum {
    FIXED_BITS = 16,
    WINDOWS = 10,            // in a unit
    PARTS = 10,              // in a window
    WINDOWS_REMEMBERED = 8,  // older windows count for less and less
    WINDOWS_FORGOTTEN = 300, // this many empty ones leave nothing of an average
    COUNT_BITS = 31,         // no chunk has more events
    USUAL_FACTOR = 2,        // a unit with over this times the usual events is unusual
    GROWTH_FACTOR = 2,       // a steady load has grown above this times its rate
};

static const int64_t SECOND_NS = 1000000000;
static const int64_t DAY_NS = INT64_C(86400) * 1000000000; // the longest unit
static const uint64_t FIXED_ONE = (uint64_t)1 << FIXED_BITS;
static const uint64_t STEADY_FIXED =
    ((uint64_t)3 << FIXED_BITS) / 4;                         // share of windows with events
static const uint64_t COUNT_MAX = (uint64_t)1 << COUNT_BITS; // in a slot
static const uint64_t SEEN_MAX = (uint64_t)1 << 46;          // in a unit or window

void
compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle)
{
    LP_ASSERT(throttle.per_ns > 0);
    *sampler = (compact_sampler){
        .throttle = throttle,
        .seed = lp_hash_text(LP_HASH_FIXED, type) ^ salt,
    };
}

static void
sampler_check(const compact_sampler *s)
{
    LP_ASSERT(s->throttle.per_ns > 0);
    LP_ASSERT(s->kept <= (uint64_t)s->throttle.count);
}

// --- Slots and units

static int64_t
divide_down(int64_t number, int64_t by)
{
    return number / by - (number % by < 0);
}

static int64_t
slot_ns_of(const compact_sampler *s)
{
    return s->throttle.per_ns < SECOND_NS ? s->throttle.per_ns : SECOND_NS;
}

int64_t
compact_sampler_slot(const compact_sampler *sampler, int64_t time_ns)
{
    return divide_down(time_ns, slot_ns_of(sampler));
}

int64_t
compact_sampler_slot_end(const compact_sampler *sampler, int64_t slot)
{
    __int128 end_ns = ((__int128)slot + 1) * slot_ns_of(sampler);
    return end_ns < INT64_MAX ? (int64_t)end_ns : INT64_MAX;
}

static int64_t
slots_of(const compact_sampler *s)
{
    return s->throttle.per_ns <= SECOND_NS ? 1 : s->throttle.per_ns / SECOND_NS;
}

static int64_t
window_slots_of(const compact_sampler *s)
{
    return slots_of(s) / WINDOWS > 0 ? slots_of(s) / WINDOWS : 1;
}

static int64_t
part_slots_of(const compact_sampler *s)
{
    return window_slots_of(s) / PARTS > 0 ? window_slots_of(s) / PARTS : 1;
}

// begin_of returns the first slot of the run of slots that contains the current slot.
static int64_t
begin_of(const compact_sampler *s, int64_t slots)
{
    return divide_down(s->slot, slots) * slots;
}

static bool
is_load_sound(const compact_load *load)
{
    return load->seen <= SEEN_MAX && load->part_seen <= load->seen &&
           load->window_seen <= SEEN_MAX && load->window_count <= WINDOWS_REMEMBERED &&
           load->rate_fixed <= SEEN_MAX << FIXED_BITS && load->spread_fixed <= FIXED_ONE &&
           load->usual <= SEEN_MAX;
}

bool
compact_sampler_is_sound(const compact_sampler *sampler)
{
    const compact_sampler *s = sampler;
    return s->throttle.count >= 0 && s->throttle.per_ns > 0 && s->throttle.per_ns <= DAY_NS &&
           s->slot >= compact_sampler_slot(s, INT64_MIN) &&
           s->slot <= compact_sampler_slot(s, INT64_MAX) &&
           s->kept <= (uint64_t)s->throttle.count && is_load_sound(&s->load);
}

// --- The averages

// move_towards moves an average by 1/part of its distance to value.
static uint64_t
move_towards(uint64_t average, uint64_t value, uint64_t part)
{
    return value >= average ? average + (value - average) / part
                            : average - (average - value) / part;
}

// times returns a number times a fraction of fixed point.
static uint64_t
times(uint64_t number, uint64_t fraction)
{
    return (uint64_t)((wide)number * fraction >> FIXED_BITS);
}

static void
end_window(compact_load *load)
{
    load->window_count += load->window_count < WINDOWS_REMEMBERED;
    load->rate_fixed =
        move_towards(load->rate_fixed, load->window_seen << FIXED_BITS, load->window_count);
    load->spread_fixed =
        move_towards(load->spread_fixed, load->window_seen > 0 ? FIXED_ONE : 0, load->window_count);
    load->window_seen = 0;
}

static void
end_unit(compact_sampler *s)
{
    compact_load *load = &s->load;
    load->usual = load->has_usual ? move_towards(load->usual, load->seen, 2) : load->seen;
    load->has_usual = true;
    load->seen = 0;
}

// move_to moves to a slot. Whole units without events do not count for the average, which is about
// the units with events. A time before the last slot only starts another unit.
static void
move_to(compact_sampler *s, int64_t slot)
{
    int64_t slots = slots_of(s);
    bool is_new_unit = divide_down(slot, slots) != divide_down(s->slot, slots);
    if (slots > 1 && slot != s->slot) {
        int64_t window_slots = window_slots_of(s);
        int64_t count = divide_down(slot, window_slots) - divide_down(s->slot, window_slots);
        for (int64_t i = 0; i < count && i < WINDOWS_FORGOTTEN; i++) {
            end_window(&s->load);
        }
        int64_t part_slots = part_slots_of(s);
        if (divide_down(slot, part_slots) != divide_down(s->slot, part_slots)) {
            s->load.part_seen = 0;
        }
        if (is_new_unit) {
            end_unit(s);
        }
    }
    s->slot = slot;
    s->kept = is_new_unit ? 0 : s->kept;
}

// --- The estimate

static uint64_t
square_root(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit /= 2) {
        root += (root + bit) * (root + bit) <= x ? bit : 0;
    }
    return root;
}

// sure_of returns the lowest number of events that chance allows to expect again after count
// events.
static uint64_t
sure_of(uint64_t count)
{
    uint64_t chance = square_root(4 * count);
    return count > chance ? count - chance : 0;
}

// is_usual returns whether a usual unit has more events than this one before the current part, and
// this one with the part is not unusually large.
static bool
is_usual(const compact_load *load)
{
    return load->has_usual && load->seen - load->part_seen < load->usual &&
           sure_of(load->seen) <= USUAL_FACTOR * load->usual;
}

// rate_of returns the events of a window at the rate of the current run of slots, which had
// `events` up to the current slot. Fixed point.
static uint64_t
rate_of(const compact_sampler *s, uint64_t events, int64_t slots)
{
    return (uint64_t)(((wide)sure_of(events) << FIXED_BITS) * (uint64_t)window_slots_of(s) /
                      (uint64_t)(s->slot - begin_of(s, slots) + 1));
}

static uint64_t
highest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t
compact_sampler_coming(const compact_sampler *sampler, uint64_t slot_seen)
{
    sampler_check(sampler);
    const compact_load *load = &sampler->load;
    int64_t slots = slots_of(sampler);
    int64_t unit_end = begin_of(sampler, slots) + slots;
    uint64_t slots_left = (uint64_t)(unit_end - sampler->slot - 1);
    bool has_count = is_usual(load);
    uint64_t rate = load->rate_fixed;
    uint64_t now = rate_of(sampler, load->window_seen, window_slots_of(sampler));
    bool has_grown = load->spread_fixed >= STEADY_FIXED && now / GROWTH_FACTOR > rate;
    if (!has_count) {
        rate = highest(rate, rate_of(sampler, slot_seen, 1));
        rate = highest(rate, rate_of(sampler, load->part_seen, part_slots_of(sampler)));
    }
    if (!has_count || has_grown) {
        rate = highest(rate, now);
    }
    wide by_rate_fixed = (wide)rate * slots_left / (uint64_t)window_slots_of(sampler);
    uint64_t by_rate = (uint64_t)(by_rate_fixed >> FIXED_BITS);
    if (!has_count || slots_left == 0) {
        return by_rate;
    }
    uint64_t by_count = load->usual > load->seen ? load->usual - load->seen : 0;
    uint64_t count = (uint64_t)sampler->throttle.count;
    if (load->usual <= count && !(has_grown && load->seen + by_rate > count)) {
        return by_count; // a usual unit fits
    }
    uint64_t weight = times(load->spread_fixed, load->spread_fixed);
    return times(by_rate, weight) + times(by_count, FIXED_ONE - weight);
}

// room_among returns how many events of a slot there is room for, if the unit has room for `left`
// and `coming` are expected after the slot.
static uint64_t
room_among(uint64_t population, uint64_t left, uint64_t coming, compact_chance *chance)
{
    uint64_t all = population + coming;
    if (all <= left) {
        return left - coming;
    }
    // All are kept if the excess may be chance: the square of a chance difference is about the
    // number of events.
    wide over = all - left;
    if (over * over <= all) {
        return population < left ? population : left;
    }
    wide share = (wide)left * population;
    return (uint64_t)(share / all) + compact_chance_is(chance, (uint64_t)(share % all), all);
}

// even_by_now returns how many events of an unknown unit may be kept by the end of the current
// slot: an even spread, plus as many as chance may add.
static uint64_t
even_by_now(const compact_sampler *s)
{
    int64_t slots = slots_of(s);
    int64_t passed = s->slot - begin_of(s, slots) + 1;
    uint64_t count = (uint64_t)s->throttle.count;
    return (uint64_t)((wide)count * (uint64_t)passed / (uint64_t)slots) + square_root(count);
}

// room_in_slot returns the room of a slot in a unit of several, in addition to forced events.
static uint64_t
room_in_slot(const compact_sampler *s, uint64_t population, uint64_t forced, compact_chance *chance)
{
    uint64_t count = (uint64_t)s->throttle.count;
    uint64_t coming = compact_sampler_coming(s, population + forced);
    uint64_t room = room_among(population, count - s->kept, coming, chance);
    if (is_usual(&s->load)) {
        return room;
    }
    uint64_t even = even_by_now(s);
    uint64_t most = even > s->kept ? even - s->kept : 0;
    if (room >= population) { // all known events of the slot fit
        most = highest(most, population);
    }
    uint64_t at_once = square_root(count);
    uint64_t least = at_once > s->kept ? at_once - s->kept : 0;
    return highest(least, room < most ? room : most);
}

static uint64_t
sum_to(uint64_t most, uint64_t a, uint64_t b)
{
    return a + b < most ? a + b : most;
}

static void
see(compact_load *load, uint64_t count)
{
    load->seen = sum_to(SEEN_MAX, load->seen, count);
    load->part_seen = sum_to(SEEN_MAX, load->part_seen, count);
    load->window_seen = sum_to(SEEN_MAX, load->window_seen, count);
}

static void
go_to(compact_sampler *s, int64_t slot, uint64_t forced, compact_chance *chance)
{
    sampler_check(s);
    if (!s->is_started) { // events that came too late before it count in no unit
        s->slot = slot;
        s->kept = 0;
        s->is_started = true;
    }
    move_to(s, slot);
    *chance = compact_chance_start(s->seed, slot);
    uint64_t left = (uint64_t)s->throttle.count - s->kept;
    s->kept += forced < left ? forced : left;
    sampler_check(s);
}

uint64_t
compact_sampler_open(compact_sampler *sampler, int64_t slot, uint64_t population, uint64_t forced,
    compact_chance *chance)
{
    sampler_check(sampler);
    LP_ASSERT(population <= COUNT_MAX && forced <= COUNT_MAX);
    go_to(sampler, slot, forced, chance);
    if (slots_of(sampler) == 1) {
        return (uint64_t)sampler->throttle.count - sampler->kept;
    }
    see(&sampler->load, population + forced);
    return room_in_slot(sampler, population, forced, chance);
}

static uint64_t
expected_in_slot(const compact_sampler *s)
{
    uint64_t now = rate_of(s, s->load.window_seen, window_slots_of(s));
    uint64_t rate = highest(s->load.rate_fixed, now);
    return rate / (uint64_t)window_slots_of(s) >> FIXED_BITS;
}

uint64_t
compact_sampler_open_partly(
    compact_sampler *sampler, int64_t slot, uint64_t certain, compact_chance *chance)
{
    sampler_check(sampler);
    LP_ASSERT(certain <= COUNT_MAX);
    go_to(sampler, slot, 0, chance);
    if (slots_of(sampler) == 1) {
        return (uint64_t)sampler->throttle.count - sampler->kept;
    }
    uint64_t expected = expected_in_slot(sampler);
    see(&sampler->load, certain);
    return room_in_slot(sampler, highest(certain, expected), 0, chance);
}

void
compact_sampler_take(compact_sampler *sampler, uint64_t count)
{
    sampler->kept += count;
    sampler_check(sampler);
}

void
compact_sampler_see(compact_sampler *sampler)
{
    sampler_check(sampler);
    if (slots_of(sampler) > 1) {
        see(&sampler->load, 1);
    }
}

bool
compact_sampler_keep_late(compact_sampler *sampler)
{
    sampler_check(sampler);
    bool is_kept = sampler->kept < (uint64_t)sampler->throttle.count;
    sampler->kept += is_kept;
    return is_kept;
}
