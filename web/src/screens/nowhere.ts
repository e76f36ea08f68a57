// SPDX-License-Identifier: Apache-2.0
// nowhere: an address that no screen has.
import { hrefTo } from "../base/address";
import { html } from "../base/html";
import { Notice } from "../parts/notice";
import { Shell } from "../parts/shell";

export function NowhereScreen() {
  return html`<${Shell}>
    <${Notice} title="There is nothing here">
      <a href=${hrefTo([])}>Services</a> is where everything begins.
    <//>
  <//>`;
}
