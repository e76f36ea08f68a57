// SPDX-License-Identifier: Apache-2.0
// menu: opens at a click; closes on Escape, on a click or focus outside, on a link inside, and on close().
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "../base/html";
import type { Children } from "../base/html";

interface Props {
  text: Children; // of the button
  label?: string; // a name, if the text does not tell
  title?: string;
  className?: string;
  children: (close: () => void) => Children; // made when somebody opens it
}

export function Menu({ text, label, title, className = "", children }: Props) {
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  useEffect(() => {
    if (!isOpen) {
      return;
    }
    const onOutside = ({ target }: Event) => details.current!.contains(target as Node) || close();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        event.stopPropagation(); // elements below react to Escape as well
        close();
        details.current!.querySelector("summary")!.focus();
      }
    };
    addEventListener("pointerdown", onOutside, true);
    addEventListener("focusin", onOutside);
    addEventListener("keydown", onKey, true);
    return () => {
      removeEventListener("pointerdown", onOutside, true);
      removeEventListener("focusin", onOutside);
      removeEventListener("keydown", onKey, true);
    };
  }, [isOpen]);
  const onChoice = ({ target }: Event) => (target as Element).closest("a") && close();
  const onToggle = ({ currentTarget }: Event) =>
    setIsOpen((currentTarget as HTMLDetailsElement).open); // the event comes late, maybe after the menu is gone
  return html`<details
    class=${`menu ${className}`}
    ref=${details}
    open=${isOpen}
    onToggle=${onToggle}
  >
    <summary aria-label=${label} title=${title}>${text}</summary>
    ${isOpen && html`<div onClick=${onChoice}>${children(close)}</div>`}
  </details>`;
}
