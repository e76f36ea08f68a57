// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/sampler.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_hash.h"

// Design notes
//
// The number of events that are still to come in a unit of several slots is estimated in two ways.
// By rate: as many for the rest of the time as came in each of the last windows. By count: the
// events that a unit usually has, minus those that came already. The rate follows any growth, but
// takes the beginning of a burst for a flood, and the silence before it for the end; the count
// knows bursts, but no change. So the weight of the rate is the share of windows in which there are
// events, squared, and the count has the rest.
//
// Where there are more events than usual, or nothing is known yet, the rate alone counts, and the
// rate within the current window, too: else a flood would have used up all room before the window
// is over.

typedef unsigned __int128 wide;

enum {
    FIXED_BITS = 16,
    WINDOWS = 10,            // in a unit
    WINDOWS_REMEMBERED = 8,  // older windows count for less and less
    WINDOWS_FORGOTTEN = 300, // after so many empty ones nothing is left of an average
    COUNT_BITS = 31,         // no chunk has more events
    FREE_SHARE = 2,          // one part in so many of count is kept while nothing is known yet
};

static const int64_t SECOND_NS = 1000000000;
static const int64_t DAY_NS = INT64_C(86400) * 1000000000; // the longest unit
static const uint64_t FIXED_ONE = (uint64_t)1 << FIXED_BITS;
static const uint64_t COUNT_MAX = (uint64_t)1 << COUNT_BITS; // in a slot
static const uint64_t SEEN_MAX = (uint64_t)1 << 46;          // in a unit or window

void
compact_sampler_init(
    compact_sampler *sampler, const char *type, uint64_t salt, policy_throttle throttle)
{
    *sampler = (compact_sampler){
        .throttle = throttle,
        .seed = lp_hash_text(LP_HASH_FIXED, type) ^ salt,
    };
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

// slots_of returns how many slots a unit has.
static int64_t
slots_of(const compact_sampler *s)
{
    return s->throttle.per_ns <= SECOND_NS ? 1 : s->throttle.per_ns / SECOND_NS;
}

// window_slots_of returns how many slots a window has.
static int64_t
window_slots_of(const compact_sampler *s)
{
    return slots_of(s) / WINDOWS > 0 ? slots_of(s) / WINDOWS : 1;
}

static bool
is_load_sound(const compact_load *load)
{
    return load->seen <= SEEN_MAX && load->slot_seen <= COUNT_MAX &&
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

// move_towards moves an average by a part of its distance from value.
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

// move_to goes on to a slot. Whole units without events do not count as usual: they show nothing
// about the units with events. A time before the last one is of another unit, and nothing else.
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
        s->load.slot_seen = 0;
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

// is_usual returns whether a unit usually had more events than came before the current slot.
static bool
is_usual(const compact_load *load)
{
    return load->has_usual && load->seen - load->slot_seen < load->usual;
}

// rate_now returns the events in a window, if the current one goes on as it began: the lowest
// number that chance allows for.
static uint64_t
rate_now(const compact_sampler *s)
{
    uint64_t chance = 2 * square_root(s->load.window_seen);
    uint64_t sure = s->load.window_seen > chance ? s->load.window_seen - chance : 0;
    int64_t window_slots = window_slots_of(s);
    int64_t begin = divide_down(s->slot, window_slots) * window_slots;
    return (uint64_t)(((wide)sure << FIXED_BITS) * (uint64_t)window_slots /
                      (uint64_t)(s->slot - begin + 1));
}

uint64_t
compact_sampler_coming(const compact_sampler *sampler)
{
    const compact_load *load = &sampler->load;
    int64_t slots = slots_of(sampler);
    int64_t unit_end = (divide_down(sampler->slot, slots) + 1) * slots;
    uint64_t slots_left = (uint64_t)(unit_end - sampler->slot - 1);
    bool has_count = is_usual(load);
    uint64_t rate = load->rate_fixed;
    if (!has_count) {
        uint64_t now = rate_now(sampler);
        rate = now > rate ? now : rate;
    }
    wide by_rate_fixed = (wide)rate * slots_left / (uint64_t)window_slots_of(sampler);
    uint64_t by_rate = (uint64_t)(by_rate_fixed >> FIXED_BITS);
    if (!has_count || slots_left == 0) {
        return by_rate;
    }
    uint64_t by_count = load->usual > load->seen ? load->usual - load->seen : 0;
    if (load->usual <= (uint64_t)sampler->throttle.count) { // a usual unit fits
        return by_count;
    }
    uint64_t weight = times(load->spread_fixed, load->spread_fixed);
    return times(by_rate, weight) + times(by_count, FIXED_ONE - weight);
}

// room_among returns for how many of the events of a slot there is room, where there is room for
// left ones in the unit, and coming ones are expected behind the slot.
static uint64_t
room_among(uint64_t population, uint64_t left, uint64_t coming, compact_chance *chance)
{
    uint64_t all = population + coming;
    if (all <= left) {
        return left - coming;
    }
    // If so few events are over the room that it may be chance, all are kept: the square of a
    // chance difference is about the number of events.
    wide over = all - left;
    if (over * over <= all) {
        return population < left ? population : left;
    }
    wide share = (wide)left * population;
    return (uint64_t)(share / all) + compact_chance_is(chance, (uint64_t)(share % all), all);
}

// room_in_slot returns the room of a slot in a unit of several.
static uint64_t
room_in_slot(const compact_sampler *s, uint64_t population, compact_chance *chance)
{
    uint64_t count = (uint64_t)s->throttle.count;
    uint64_t left = count - s->kept;
    uint64_t room = room_among(population, left, compact_sampler_coming(s), chance);
    uint64_t first = count / FREE_SHARE + (count % FREE_SHARE > 0);
    uint64_t free = first > s->kept ? first - s->kept : 0;
    return !is_usual(&s->load) && free > room ? free : room;
}

static uint64_t
sum_to(uint64_t most, uint64_t a, uint64_t b)
{
    return a + b < most ? a + b : most;
}

// see counts events of the current slot.
static void
see(compact_load *load, uint64_t count)
{
    load->seen = sum_to(SEEN_MAX, load->seen, count);
    load->slot_seen = sum_to(COUNT_MAX, load->slot_seen, count);
    load->window_seen = sum_to(SEEN_MAX, load->window_seen, count);
}

uint64_t
compact_sampler_open(compact_sampler *sampler, int64_t slot, uint64_t population, uint64_t forced,
    compact_chance *chance)
{
    LP_ASSERT(population <= COUNT_MAX && forced <= COUNT_MAX);
    if (!sampler->is_started) { // what came too late for it is of no unit
        sampler->slot = slot;
        sampler->kept = 0;
        sampler->is_started = true;
    }
    move_to(sampler, slot);
    *chance = compact_chance_start(sampler->seed, slot);
    uint64_t left = (uint64_t)sampler->throttle.count - sampler->kept;
    sampler->kept += forced < left ? forced : left;
    if (slots_of(sampler) == 1) {
        return (uint64_t)sampler->throttle.count - sampler->kept;
    }
    see(&sampler->load, population + forced);
    return room_in_slot(sampler, population, chance);
}

void
compact_sampler_take(compact_sampler *sampler, uint64_t count)
{
    sampler->kept += count;
    LP_ASSERT(sampler->kept <= (uint64_t)sampler->throttle.count);
}

void
compact_sampler_see(compact_sampler *sampler)
{
    if (slots_of(sampler) > 1) {
        see(&sampler->load, 1);
    }
}

bool
compact_sampler_keep_late(compact_sampler *sampler)
{
    bool is_kept = sampler->kept < (uint64_t)sampler->throttle.count;
    sampler->kept += is_kept;
    return is_kept;
}
