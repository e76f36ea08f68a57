// SPDX-License-Identifier: Apache-2.0
// no_jvm: what to do where no JVM has sent anything in the time that is looked at.
import { html } from "../base/html";
import { Notice } from "./notice";

export function NoJvm() {
  const option = `-agentpath:/path/to/libloupe.so=collector=tcp://${location.hostname}:7411,service=NAME`;
  return html`<${Notice} title="No JVM has sent anything in this time">
    Start one with this option, with the address at which it reaches this collector:
    <pre>${option}</pre>
  <//>`;
}
