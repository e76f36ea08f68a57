// SPDX-License-Identifier: Apache-2.0
// nowhere: an address that no screen has.
import { hrefTo } from "../base/address";
import { html } from "../base/html";
import { Notice } from "../parts/notice";
import { Shell } from "../parts/shell";

export function NowhereScreen() {
  return html`<${Shell}>
    <section>
      <${Notice} title="There is nothing here">
        <a class="link" href=${hrefTo([])}>Show all services</a>
      <//>
    </section>
  <//>`;
}
