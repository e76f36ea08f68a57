// SPDX-License-Identifier: Apache-2.0
// expression: regular expressions matched in time linear in the text. The address may hold one that would never end in the
// browser's own matcher. Syntax and algorithm are those of src/query/select/expression.h. Ignores case. Pure.

const STATES_MAX = 512;
const REPEATS_MAX = 255;
const BYTES_MAX = 256;

type Takes = (code: number) => boolean;
type Anchor = (text: string, place: number) => boolean;

// A state: it takes a character, or holds at a place, or goes on at jumps from it.
interface State {
  takes?: Takes;
  holds?: Anchor;
  jumps?: number[];
  isEnd?: boolean;
}

export type Expression = State[];

const codeOf = (text: string) => text.charCodeAt(0);
// casesOf returns a character as a small letter and as a capital, where that is one character as well.
function casesOf(code: number): [number, number] {
  const one = String.fromCharCode(code);
  const [small, large] = [one.toLowerCase(), one.toUpperCase()];
  return [codeOf(small.length === 1 ? small : one), codeOf(large.length === 1 ? large : one)];
}

const isWord: Takes = (code) => /\w/.test(String.fromCharCode(code));
const isSpace: Takes = (code) => " \t\n\v\f\r".includes(String.fromCharCode(code));
const isWordAt = (text: string, place: number) =>
  place >= 0 && place < text.length && isWord(text.charCodeAt(place));

const behind: Anchor = (text, place) => isWordAt(text, place - 1);
const before: Anchor = isWordAt;
const ANCHORS: Record<string, Anchor> = {
  "^": (_, place) => place === 0,
  $: (text, place) => place === text.length,
  "\\`": (_, place) => place === 0,
  "\\'": (text, place) => place === text.length,
  "\\b": (text, place) => behind(text, place) !== before(text, place),
  "\\B": (text, place) => behind(text, place) === before(text, place),
  "\\<": (text, place) => !behind(text, place) && before(text, place),
  "\\>": (text, place) => behind(text, place) && !before(text, place),
};

const isDigit: Takes = (code) => code >= 48 && code <= 57;

const SETS: Record<string, Takes> = {
  "\\d": isDigit,
  "\\D": (code) => !isDigit(code),
  "\\w": isWord,
  "\\W": (code) => !isWord(code),
  "\\s": isSpace,
  "\\S": (code) => !isSpace(code),
};

const CLASSES: Record<string, RegExp> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

class Fault extends Error {}

// The states of a part lie in one piece and jump by distances, so that a part can be moved and copied.
class Parser {
  readonly states: State[] = [];
  private atom: number | null = null; // where the part begins that a repetition is about
  private readonly groups: { begin: number; jump: number | null }[] = [{ begin: 0, jump: null }];
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): Expression {
    while (this.at < this.text.length) {
      this.part();
    }
    if (this.groups.length > 1) {
      throw new Fault();
    }
    this.endAlternative();
    this.add({ isEnd: true });
    return this.states;
  }

  private add(state: State, place = this.states.length): void {
    if (this.states.length === STATES_MAX) {
      throw new Fault();
    }
    this.states.splice(place, 0, state);
  }

  private addAtom(takes: Takes): void {
    this.atom = this.states.length;
    this.add({ takes });
  }

  private copy(begin: number, length: number): void {
    for (let i = begin; i < begin + length; i++) {
      this.add(this.states[i]!);
    }
  }

  private makeOptional(begin: number): void {
    this.add({ jumps: [1, this.states.length - begin + 1] }, begin);
  }

  private repeat(min: number, max: number): void {
    if (this.atom === null) {
      throw new Fault();
    }
    const begin = this.atom;
    const length = this.states.length - begin;
    if (max === 0) {
      this.states.length = begin;
      return;
    }
    for (let i = 1; i < min; i++) {
      this.copy(begin, length);
    }
    if (max === Infinity) {
      this.add({ jumps: [1, -length] });
    }
    for (let i = Math.max(min, 1); i < max && max !== Infinity; i++) {
      this.copy(begin, length);
      this.makeOptional(this.states.length - length);
    }
    if (min === 0) {
      this.makeOptional(begin);
    }
  }

  private bounds(): void {
    const found = /^\{(\d+)(,?)(\d*)\}/.exec(this.text.slice(this.at));
    const min = Number(found?.[1]);
    const max = found?.[3] ? Number(found[3]) : found?.[2] ? Infinity : min;
    if (!found || (found[3] && !found[2]) || min > max || min > REPEATS_MAX) {
      throw new Fault();
    }
    if (max !== Infinity && max > REPEATS_MAX) {
      throw new Fault();
    }
    this.at += found[0].length;
    this.repeat(min, max);
  }

  // element reads a part of brackets: a class, or a character, which an end of a range is, too.
  private element(): Takes | number {
    const found = /^\[([:.=])(.*?)\1\]/.exec(this.text.slice(this.at));
    if (!found) {
      return this.text.charCodeAt(this.at++);
    }
    this.at += found[0].length;
    const [, kind, name] = found;
    const isOf = Object.hasOwn(CLASSES, name!) ? CLASSES[name!] : undefined; // not "constructor"
    if (kind === ":" ? !isOf : name!.length !== 1) {
      throw new Fault();
    }
    return kind === ":" ? (code) => isOf!.test(String.fromCharCode(code)) : codeOf(name!);
  }

  private range(): Takes {
    const first = this.element();
    if (typeof first !== "number") {
      return first;
    }
    let last: Takes | number = first;
    if (this.text[this.at] === "-" && (this.text[this.at + 1] ?? "]") !== "]") {
      this.at++;
      last = this.element();
    }
    if (typeof last !== "number" || last < first) {
      throw new Fault();
    }
    const end = last;
    return (code) => code >= first && code <= end;
  }

  private brackets(): void {
    const parts: Takes[] = [];
    const isInverted = this.text[++this.at] === "^";
    this.at += isInverted ? 1 : 0;
    while (this.text[this.at] !== "]" || parts.length === 0) {
      if (this.at >= this.text.length) {
        throw new Fault();
      }
      parts.push(this.range());
    }
    this.at++;
    this.addAtom(
      (code) => casesOf(code).some((one) => parts.some((takes) => takes(one))) !== isInverted,
    );
  }

  private endAlternative(): void {
    const { jump } = this.groups[this.groups.length - 1]!;
    if (jump !== null) {
      this.states[jump]!.jumps = [this.states.length - jump];
    }
  }

  private bar(): void {
    const group = this.groups[this.groups.length - 1]!;
    this.endAlternative();
    this.add({ jumps: [1, this.states.length - group.begin + 2] }, group.begin);
    this.add({ jumps: [] });
    group.jump = this.states.length - 1;
    this.atom = null;
  }

  private part(): void {
    const sign = this.text[this.at]!;
    const name = sign === "\\" ? this.text.slice(this.at, this.at + 2) : sign;
    const isOwn = Object.hasOwn(ANCHORS, name) || Object.hasOwn(SETS, name);
    if (sign === "[") {
      this.brackets();
      return;
    }
    if (sign === "{") {
      this.bounds();
      return;
    }
    this.at += name.length;
    if (sign === "\\" && !isOwn && !/^\\[^0-9A-Za-z]$/.test(name)) {
      throw new Fault(); // it ends, or is a back reference
    } else if (Object.hasOwn(ANCHORS, name)) {
      this.atom = null;
      this.add({ holds: ANCHORS[name]! });
    } else if (Object.hasOwn(SETS, name)) {
      this.addAtom(SETS[name]!);
    } else if (sign === "(") {
      this.groups.push({ begin: this.states.length, jump: null });
      this.atom = null;
    } else if (sign === ")" && this.groups.length > 1) {
      this.endAlternative();
      this.atom = this.groups.pop()!.begin;
    } else if (sign === "|") {
      this.bar();
    } else if (sign === "*" || sign === "+" || sign === "?") {
      this.repeat(sign === "+" ? 1 : 0, sign === "?" ? 1 : Infinity);
    } else if (sign === ".") {
      this.addAtom(() => true);
    } else {
      const [small, large] = casesOf(name.charCodeAt(name.length - 1));
      this.addAtom((code) => code === small || code === large);
    }
  }
}

// compile translates an expression; null: it is none, or too large.
export function compile(text: string): Expression | null {
  try {
    return text.length > BYTES_MAX ? null : new Parser(text).parse();
  } catch (fault) {
    if (fault instanceof Fault) {
      return null;
    }
    throw fault;
  }
}

// Steps counts the states that were entered.
export interface Steps {
  count: number;
}

// matches returns whether a part of text matches: in at most as many steps as the expression has states for each place.
export function matches(expression: Expression, text: string, steps: Steps): boolean {
  const entered = new Int32Array(expression.length).fill(-1); // at which place, last
  const stack: number[] = [];
  const push = (state: number, place: number) => {
    if (entered[state] !== place) {
      entered[state] = place;
      stack.push(state);
      steps.count++;
    }
  };
  let now: number[] = [];
  let isFound = false;
  const enter = (list: number[], first: number, place: number) => {
    push(first, place);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const { takes, holds, jumps, isEnd } = expression[at]!;
      isFound ||= isEnd === true;
      if (takes) {
        list.push(at);
      } else if (holds?.(text, place)) {
        push(at + 1, place);
      }
      for (const jump of jumps ?? []) {
        push(at + jump, place);
      }
    }
  };
  for (let place = 0; ; place++) {
    enter(now, 0, place);
    if (isFound || place === text.length) {
      return isFound;
    }
    const code = text.charCodeAt(place);
    const next: number[] = [];
    for (const at of now) {
      if (expression[at]!.takes!(code)) {
        enter(next, at + 1, place + 1);
      }
    }
    now = next;
  }
}
