// SPDX-License-Identifier: Apache-2.0
// narrow: whether the window has room for one column and little beside it. Style sheets ask for the same width.
import { signal } from "@preact/signals";

export const isNarrow = signal(false);

export function startNarrow(): void {
  const query = matchMedia("(max-width: 640px)");
  const take = () => (isNarrow.value = query.matches);
  query.addEventListener("change", take);
  take();
}
