// SPDX-License-Identifier: Apache-2.0
// units: what is counted. A service has requests, or contexts alone where its chunks have no requests.
import type { Service, Top } from "./shapes";

export type Unit = "requests" | "contexts";

// A service with the numbers of what it is counted by.
export interface Row {
  service: string;
  jvms: number;
  unit: Unit;
  all: number;
  kept: number;
  p50_ns: number | null;
  p99_ns: number | null;
  spark: readonly (number | null)[];
  top: Top | null;
}

export function rowOf(one: Service): Row {
  const { service, jvms, requests } = one;
  const hasRequests = requests.requests_in > 0;
  const [all, kept] = hasRequests
    ? [requests.requests_in, requests.requests_out]
    : [one.contexts_in, one.contexts_out];
  const { p50_ns, p99_ns, spark, top } = hasRequests ? requests : one;
  const unit = hasRequests ? "requests" : "contexts";
  return { service, jvms, unit, all, kept, p50_ns, p99_ns, spark, top };
}
