// SPDX-License-Identifier: Apache-2.0
// Design notes. The states of each part of the expression are contiguous: matching enters at the
// first and leaves behind the last. Jumps are relative. So the parser can move a part, copy it for
// a repetition, and translate in one pass without a tree. A match follows all states at once, and
// lists each state at most once for each byte.

#include "query/select/expression.h"

#include "common/base/lp_assert.h"
#include "common/base/lp_find.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum {
    STATE_BYTE,
    STATE_ANY,
    STATE_SET,
    STATE_SPLIT, // the next state and the one at jump
    STATE_JUMP,  // only the one at jump
    STATE_TEXT_BEGIN,
    STATE_TEXT_END,
    STATE_EDGE,
    STATE_NO_EDGE,
    STATE_WORD_BEGIN,
    STATE_WORD_END,
    STATE_MATCH,
};

enum { NONE = -1 };

static_assert(QUERY_EXPRESSION_SETS_MAX <= UINT8_MAX + 1, "a state has the index of a set");

static int
is_word(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// --- Sets

static void
set_add(query_byte_set *set, uint8_t byte)
{
    set->words[byte / 64] |= (uint64_t)1 << byte % 64;
}

static bool
set_has(const query_byte_set *set, uint8_t byte)
{
    return (set->words[byte / 64] >> byte % 64 & 1) != 0;
}

static void
set_invert(query_byte_set *set)
{
    for (size_t i = 0; i < 4; i++) {
        set->words[i] = ~set->words[i];
    }
}

static void
set_add_class(query_byte_set *set, int (*is_of)(int c))
{
    for (int c = 0; c <= UINT8_MAX; c++) {
        if (is_of(c) != 0) {
            set_add(set, (uint8_t)c);
        }
    }
}

// --- Reading

typedef struct group {
    int begin; // first state
    int jump;  // state behind the last complete alternative; NONE: none is complete
} group;

typedef struct parser {
    query_expression *out;
    const char *at;
    const char *fault; // why the text is not an expression; NULL: no fault so far
    bool is_full;
    int count; // states
    int atom;  // first state of the part that a repetition would repeat; NONE: there is none
    int depth;
    group groups[QUERY_EXPRESSION_BYTES_MAX + 1];
} parser;

static void
parser_check(const parser *p)
{
    LP_ASSERT(p->count >= 0 && p->count <= QUERY_EXPRESSION_STATES_MAX);
    LP_ASSERT(p->atom <= p->count);
    LP_ASSERT(p->depth >= 0 && p->depth <= QUERY_EXPRESSION_BYTES_MAX);
    LP_ASSERT(p->out->set_count <= QUERY_EXPRESSION_SETS_MAX);
}

// insert adds a state at a place and moves the states behind it.
static void
insert(parser *p, int place, query_state state)
{
    LP_ASSERT(place >= 0 && place <= p->count);
    if (p->count == QUERY_EXPRESSION_STATES_MAX) {
        p->is_full = true;
        return;
    }
    query_state *states = p->out->states;
    memmove(&states[place + 1], &states[place], (size_t)(p->count - place) * sizeof(*states));
    states[place] = state;
    p->count++;
}

static void
append(parser *p, query_state state)
{
    insert(p, p->count, state);
}

static void
append_atom(parser *p, uint8_t kind, uint8_t arg)
{
    p->atom = p->count;
    append(p, (query_state){.kind = kind, .arg = arg});
}

// append_anchor adds a state that takes no byte. It cannot be repeated.
static void
append_anchor(parser *p, uint8_t kind)
{
    p->atom = NONE;
    append(p, (query_state){.kind = kind});
}

static query_byte_set *
append_set(parser *p)
{
    LP_ASSERT(p->out->set_count < QUERY_EXPRESSION_SETS_MAX);
    query_byte_set *set = &p->out->sets[p->out->set_count];
    *set = (query_byte_set){{0}};
    append_atom(p, STATE_SET, (uint8_t)p->out->set_count++);
    return set;
}

static void
copy_part(parser *p, int begin, int len)
{
    LP_ASSERT(begin >= 0 && begin + len <= p->count);
    if (len > QUERY_EXPRESSION_STATES_MAX - p->count) {
        p->is_full = true;
        return;
    }
    query_state *states = p->out->states;
    memcpy(&states[p->count], &states[begin], (size_t)len * sizeof(*states));
    p->count += len;
}

static void
make_optional(parser *p, int begin)
{
    insert(p, begin, (query_state){.kind = STATE_SPLIT, .jump = (int16_t)(p->count - begin + 1)});
}

static void
make_repeated(parser *p, int begin)
{
    append(p, (query_state){.kind = STATE_SPLIT, .jump = (int16_t)(begin - p->count)});
}

// repeat replaces the last part by min to max repetitions; max NONE: any number.
static void
repeat(parser *p, int min, int max)
{
    parser_check(p);
    LP_ASSERT(p->atom != NONE);
    LP_ASSERT(max == NONE || max >= min);
    int begin = p->atom;
    int len = p->count - begin;
    if (max == 0) {
        p->count = begin;
        return;
    }
    for (int i = 1; i < min && !p->is_full; i++) {
        copy_part(p, begin, len);
    }
    if (max == NONE) {
        make_repeated(p, p->count - len);
        if (min == 0) {
            make_optional(p, begin);
        }
        return;
    }
    for (int i = min == 0 ? 1 : min; i < max && !p->is_full; i++) {
        copy_part(p, begin, len);
        make_optional(p, p->count - len);
    }
    if (min == 0) {
        make_optional(p, begin);
    }
}

// --- Reading: what repeats

static int
read_number(parser *p)
{
    int number = isdigit((unsigned char)*p->at) ? 0 : NONE;
    for (; isdigit((unsigned char)*p->at); p->at++) {
        number = number > QUERY_EXPRESSION_REPEATS_MAX ? number : number * 10 + (*p->at - '0');
    }
    return number;
}

static bool
read_bounds(parser *p, int *out_min, int *out_max)
{
    int min = read_number(p);
    int max = min;
    if (*p->at == ',') {
        p->at++;
        max = read_number(p);
    }
    if (*p->at != '}' || min == NONE || (max != NONE && max < min) ||
        min > QUERY_EXPRESSION_REPEATS_MAX || max > QUERY_EXPRESSION_REPEATS_MAX) {
        p->fault = "{ begins {n}, {n,} or {n,m} of 0 to 255; a brace is \\{";
        return false;
    }
    p->at++;
    *out_min = min;
    *out_max = max;
    return true;
}

static void
read_repetition(parser *p)
{
    char sign = *p->at++;
    int min = sign == '+' ? 1 : 0;
    int max = sign == '?' ? 1 : NONE;
    if (p->atom == NONE) {
        p->fault = sign == '{' ? "{ repeats nothing; a brace is \\{"
                               : "there is nothing that *, + or ? repeats";
    } else if (sign != '{' || read_bounds(p, &min, &max)) {
        repeat(p, min, max);
    }
}

// --- Reading: brackets

static const struct byte_class {
    const char *name;
    int (*is_of)(int c);
} classes[] = {
    {"alnum", isalnum},
    {"alpha", isalpha},
    {"blank", isblank},
    {"cntrl", iscntrl},
    {"digit", isdigit},
    {"graph", isgraph},
    {"lower", islower},
    {"print", isprint},
    {"punct", ispunct},
    {"space", isspace},
    {"upper", isupper},
    {"xdigit", isxdigit},
};

// read_named reads [:class:], [.a.] or [=a=]. Returns the byte of the latter two. NONE: it added a
// class, or found a fault.
static int
read_named(parser *p, query_byte_set *set)
{
    const char end[] = {p->at[1], ']', '\0'};
    const char *name = p->at + 2;
    const char *behind = strstr(name, end);
    size_t len = behind == NULL ? 0 : (size_t)(behind - name);
    if (behind != NULL) {
        p->at = behind + 2;
    }
    if (end[0] != ':') {
        p->fault = len == 1 ? p->fault : "[. .] and [= =] have one byte";
        return (unsigned char)name[0];
    }
    const struct byte_class *found = LP_FIND(
        classes, LP_COUNT(classes), len == strlen(at->name) && memcmp(name, at->name, len) == 0);
    if (found == NULL) {
        p->fault = "this [: :] is not a class, such as [:digit:]";
    } else {
        set_add_class(set, found->is_of);
    }
    return NONE;
}

// read_element reads an element of brackets, or an end of a range. NONE: a class, or a fault.
static int
read_element(parser *p, query_byte_set *set)
{
    if (p->at[0] == '[' && (p->at[1] == ':' || p->at[1] == '.' || p->at[1] == '=')) {
        return read_named(p, set);
    }
    return (unsigned char)*p->at++;
}

static void
read_range(parser *p, query_byte_set *set)
{
    int first = read_element(p, set);
    int last = first;
    if (first != NONE && p->at[0] == '-' && p->at[1] != ']' && p->at[1] != '\0') {
        p->at++;
        last = read_element(p, set);
        if (last < first) {
            p->fault = "a range in [ ] ends before it begins";
        }
    }
    for (int c = first; c <= last && c != NONE; c++) {
        set_add(set, (uint8_t)c);
    }
}

static void
read_brackets(parser *p)
{
    parser_check(p);
    query_byte_set *set = append_set(p);
    p->at++;
    bool is_inverted = *p->at == '^';
    p->at += is_inverted;
    bool is_first = true;
    while (p->fault == NULL && *p->at != '\0' && (*p->at != ']' || is_first)) {
        read_range(p, set);
        is_first = false;
    }
    if (p->fault == NULL && *p->at == '\0') {
        p->fault = "a [ has no ]";
        return;
    }
    p->at++;
    if (is_inverted) {
        set_invert(set);
    }
}

// --- Reading: the rest

static void
read_escape(parser *p)
{
    static const char anchors[] = "bB<>`'";
    static const uint8_t anchor_kinds[] = {STATE_EDGE, STATE_NO_EDGE, STATE_WORD_BEGIN,
        STATE_WORD_END, STATE_TEXT_BEGIN, STATE_TEXT_END};
    char c = *++p->at;
    const char *anchor = c == '\0' ? NULL : strchr(anchors, c);
    if (c == '\0') {
        p->fault = "it ends with a backslash";
        return;
    }
    p->at++;
    if (anchor != NULL) {
        append_anchor(p, anchor_kinds[anchor - anchors]);
    } else if (strchr("dDsSwW", c) != NULL) {
        int small = tolower((unsigned char)c);
        query_byte_set *set = append_set(p);
        set_add_class(set, small == 'd' ? isdigit : small == 's' ? isspace : is_word);
        if (small != c) {
            set_invert(set);
        }
    } else if (is_word(c) && c != '_') {
        p->fault = isdigit((unsigned char)c)
                       ? "back references such as \\1 are not for this"
                       : "of letters only b, B, d, D, s, S, w and W have a \\";
    } else {
        append_atom(p, STATE_BYTE, (uint8_t)c);
    }
}

// end_alternative links the alternative before the last | to the end of the group.
static void
end_alternative(parser *p)
{
    parser_check(p);
    const group *g = &p->groups[p->depth];
    LP_ASSERT(g->jump < p->count);
    if (g->jump != NONE) {
        p->out->states[g->jump].jump = (int16_t)(p->count - g->jump);
    }
}

static void
read_bar(parser *p)
{
    group *g = &p->groups[p->depth];
    p->at++;
    end_alternative(p);
    int16_t jump = (int16_t)(p->count - g->begin + 2); // past the state that is inserted here
    insert(p, g->begin, (query_state){.kind = STATE_SPLIT, .jump = jump});
    append(p, (query_state){.kind = STATE_JUMP});
    g->jump = p->count - 1;
    p->atom = NONE;
}

static void
read_group_begin(parser *p)
{
    parser_check(p);
    LP_ASSERT(p->depth < QUERY_EXPRESSION_BYTES_MAX);
    p->at++;
    p->groups[++p->depth] = (group){.begin = p->count, .jump = NONE};
    p->atom = NONE;
}

static void
read_group_end(parser *p)
{
    parser_check(p);
    LP_ASSERT(p->depth > 0);
    p->at++;
    end_alternative(p);
    p->atom = p->groups[p->depth--].begin;
}

static void
read_part(parser *p)
{
    parser_check(p);
    switch (*p->at) {
    case '(':
        read_group_begin(p);
        return;
    case ')':
        if (p->depth > 0) {
            read_group_end(p);
            return;
        }
        break; // an ordinary byte, as in POSIX
    case '|':
        read_bar(p);
        return;
    case '*':
    case '+':
    case '?':
    case '{':
        read_repetition(p);
        return;
    case '[':
        read_brackets(p);
        return;
    case '\\':
        read_escape(p);
        return;
    case '^':
    case '$':
        append_anchor(p, *p->at++ == '^' ? STATE_TEXT_BEGIN : STATE_TEXT_END);
        return;
    case '.':
        p->at++;
        append_atom(p, STATE_ANY, 0);
        return;
    default:
        break;
    }
    append_atom(p, STATE_BYTE, (uint8_t)*p->at++);
}

lp_err
query_expression_compile(query_expression *self, const char *text, lp_problem *out_problem)
{
    LP_REQUIRE(strlen(text) <= QUERY_EXPRESSION_BYTES_MAX,
        lp_problem_set(
            out_problem, LP_ECORRUPT, "it has more than %d bytes", QUERY_EXPRESSION_BYTES_MAX));
    self->set_count = 0;
    parser p = {.out = self, .at = text, .atom = NONE};
    p.groups[0].jump = NONE;
    while (*p.at != '\0' && p.fault == NULL && !p.is_full) {
        read_part(&p);
    }
    if (p.fault == NULL && !p.is_full && p.depth > 0) {
        p.fault = "a ( has no )";
    }
    LP_REQUIRE(p.fault == NULL, lp_problem_set(out_problem, LP_ECORRUPT, "%s", p.fault));
    parser_check(&p);
    end_alternative(&p);
    append(&p, (query_state){.kind = STATE_MATCH});
    LP_REQUIRE(!p.is_full, lp_problem_set(out_problem, LP_ECORRUPT,
                               "it needs more than %d states, which repetitions {n,m} multiply",
                               QUERY_EXPRESSION_STATES_MAX));
    self->state_count = (uint16_t)p.count;
    return LP_OK;
}

// --- Matching

// The states that may take the byte at a place.
typedef struct list {
    int count;
    uint16_t items[QUERY_EXPRESSION_STATES_MAX];
} list;

typedef struct matcher {
    const query_expression *of;
    lp_slice text;
    uint64_t steps;
    bool matches;
    list lists[2];
    // For each state 1 + the place at which it was entered last. A state is entered once at a
    // place, so the stack has room for all.
    size_t entered[QUERY_EXPRESSION_STATES_MAX];
    uint16_t stack[QUERY_EXPRESSION_STATES_MAX];
    int depth;
} matcher;

static void
push(matcher *m, int state, size_t place)
{
    if (m->entered[state] != place + 1) {
        m->entered[state] = place + 1;
        m->stack[m->depth++] = (uint16_t)state;
        m->steps++;
    }
}

// holds returns whether an anchor matches at a place.
static bool
holds(const matcher *m, unsigned kind, size_t place)
{
    bool is_behind_word = place > 0 && is_word(m->text.ptr[place - 1]);
    bool is_before_word = place < m->text.len && is_word(m->text.ptr[place]);
    switch (kind) {
    case STATE_TEXT_BEGIN:
        return place == 0;
    case STATE_TEXT_END:
        return place == m->text.len;
    case STATE_EDGE:
        return is_behind_word != is_before_word;
    case STATE_NO_EDGE:
        return is_behind_word == is_before_word;
    case STATE_WORD_BEGIN:
        return !is_behind_word && is_before_word;
    default: // STATE_WORD_END
        return is_behind_word && !is_before_word;
    }
}

// enter adds to a list the states that are reachable from a state without taking a byte.
static void
enter(matcher *m, list *into, int first, size_t place)
{
    push(m, first, place);
    while (m->depth > 0) {
        int at = m->stack[--m->depth];
        query_state state = m->of->states[at];
        switch (state.kind) {
        case STATE_BYTE:
        case STATE_ANY:
        case STATE_SET:
            into->items[into->count++] = (uint16_t)at;
            break;
        case STATE_SPLIT:
            push(m, at + 1, place);
            push(m, at + state.jump, place);
            break;
        case STATE_JUMP:
            push(m, at + state.jump, place);
            break;
        case STATE_MATCH:
            m->matches = true;
            break;
        default:
            if (holds(m, state.kind, place)) {
                push(m, at + 1, place);
            }
            break;
        }
    }
}

static bool
takes(const matcher *m, query_state state, uint8_t byte)
{
    return state.kind == STATE_ANY || (state.kind == STATE_BYTE && state.arg == byte) ||
           (state.kind == STATE_SET && set_has(&m->of->sets[state.arg], byte));
}

bool
query_expression_matches(const query_expression *self, lp_slice text, uint64_t *steps)
{
    LP_ASSERT(self->state_count > 0 && self->state_count <= QUERY_EXPRESSION_STATES_MAX);
    LP_ASSERT(self->states[self->state_count - 1].kind == STATE_MATCH);
    matcher m;
    m.of = self;
    m.text = text;
    m.steps = 0;
    m.matches = false;
    m.depth = 0;
    m.lists[0].count = 0;
    memset(m.entered, 0, self->state_count * sizeof(m.entered[0]));
    for (size_t place = 0; !m.matches; place++) {
        list *now = &m.lists[place % 2];
        list *next = &m.lists[(place + 1) % 2];
        enter(&m, now, 0, place); // a match may begin anywhere
        if (place == text.len) {
            break;
        }
        next->count = 0;
        for (int i = 0; i < now->count && !m.matches; i++) {
            if (takes(&m, self->states[now->items[i]], text.ptr[place])) {
                enter(&m, next, now->items[i] + 1, place + 1);
            }
        }
    }
    *steps += m.steps;
    return m.matches;
}
