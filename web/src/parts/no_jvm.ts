// SPDX-License-Identifier: Apache-2.0
// no_jvm: says what to do if no JVM has sent anything in the chosen time.
import { changed, address, pathOf, urlOf } from "../base/address";
import { useAnswer } from "../base/answers";
import { second, zoneName } from "../base/clock";
import { html } from "../base/html";
import { login } from "../base/login";
import { now, range } from "../base/range";
import { apiUrl, serviceOf } from "../base/selection";
import type { Collector } from "../base/shapes";
import { Notice } from "./notice";
import { ChooseFiles } from "./upload";

// agentOption is the JVM's option for a collector whose page was reached at `host`: where it listens at any
// address, that is one of them. Where it asks for tokens, the agent needs one; by TLS, the authority of the
// collector's certificate.
export function agentOption(agents: string, host: string, needsToken = false): string {
  const reached = agents.replace(/\/\/(0\.0\.0\.0|\[::\])(?=:|$)/, "//" + host);
  const ca = reached.startsWith("tls+") ? ",ca=/path/to/ca.pem" : "";
  return `-agentpath:/path/to/libloupe.so=collector=${reached}${ca},service=NAME${needsToken ? ",token=@FILE" : ""}`;
}

// What there is of another time: from its start on.
function Earlier({ of }: { of: Collector }) {
  if (of.data_start_ns === null) {
    return null;
  }
  const start = BigInt(of.data_start_ns);
  const { path, params } = address.value;
  const whole = changed(params, { from: of.data_start_ns, to: null, last: null });
  return html`<p>
    There are recordings since ${second(start)} ${zoneName(start)}:${" "}
    <a class="link" href=${urlOf(pathOf(...path), whole)}>look at all of that time</a>.
  </p>`;
}

export function NoJvm() {
  const url = apiUrl("collector", new URLSearchParams());
  const { data } = useAnswer<Collector>(url, now.value);
  const isEarlier = data?.data_start_ns != null && BigInt(data.data_start_ns) < range.value.from;
  const service = serviceOf(address.value);
  const option = (agents: string) => agentOption(agents, location.hostname, login.value?.is_needed);
  if (data?.takes_files && !isEarlier) {
    return html`<${Notice} title="There is no recording yet">
      <p>Drop a recording (.jfr) on this page, and it is shown. Or choose one:</p>
      <${ChooseFiles} />
    <//>`;
  }
  const whose = service === null ? "" : ` of ${service}`;
  return html`<${Notice} title="No JVM${whose} has sent anything in this time">
    ${
      data?.agents &&
      !data.takes_files &&
      html`Start one with this option, and it is here within seconds:
        <pre>${option(data.agents)}</pre>`
    }
    ${data && isEarlier && html`<${Earlier} of=${data} />`}
  <//>`;
}
