// SPDX-License-Identifier: Apache-2.0
// pane: a canvas that shows a part of a drawing, which may be taller than a canvas can be, in a box that scrolls.
// It draws once for all that changes until the next frame of the screen.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../base/html";
import type { Children } from "../base/html";
import { scheme } from "../base/theme";
import { prepared } from "./canvas";
import "./pane.css";

export interface Window {
  width: number; // all numbers are px
  top: number; // of the visible part, in the drawing
  height: number; // of the visible part
}

export type Draw = (context: CanvasRenderingContext2D, window: Window) => void;

export interface Spot {
  x: number; // in the drawing
  y: number;
  width: number; // of the drawing
  event: PointerEvent;
}

interface Props {
  label: string; // for screen readers
  height: number; // of the whole drawing
  heightMax: number; // of the visible part
  draw: Draw; // a new function redraws
  reveal?: readonly [number, number]; // top and bottom of the part to scroll to, when it changes
  onPoint?: (spot: Spot) => void;
  onDown?: (spot: Spot) => void;
  onUp?: (spot: Spot) => void;
  onLeave?: () => void;
  onKey?: (event: KeyboardEvent) => void;
  children?: Children; // over the canvas; scrolls with it
}

function paint(canvas: HTMLCanvasElement, box: HTMLElement, draw: Draw): void {
  const { clientWidth: width, clientHeight: height, scrollTop: top } = box;
  const context = prepared(canvas, { width, height, ratio: devicePixelRatio });
  if (context) {
    draw(context, { width, height, top });
  }
}

export function Pane(props: Props) {
  const { draw, height, heightMax, reveal } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(draw);
  const frame = useRef(0);
  latest.current = draw;
  const request = () => {
    frame.current ||= requestAnimationFrame(() => {
      frame.current = 0;
      if (canvas.current && box.current) {
        paint(canvas.current, box.current, latest.current);
      }
    });
  };
  useEffect(() => {
    const observer = new ResizeObserver(request);
    observer.observe(box.current!);
    return () => (observer.disconnect(), cancelAnimationFrame(frame.current));
  }, []);
  useEffect(request, [draw, height, heightMax, scheme.value]);
  useEffect(() => {
    const { scrollTop, clientHeight } = box.current!;
    if (reveal && reveal[0] < scrollTop) {
      box.current!.scrollTop = reveal[0];
    } else if (reveal && reveal[1] > scrollTop + clientHeight) {
      box.current!.scrollTop = reveal[1] - clientHeight;
    }
  }, [reveal?.[0], reveal?.[1]]);
  const spot = (handler?: (spot: Spot) => void) => (event: PointerEvent) => {
    const bounds = canvas.current!.getBoundingClientRect();
    const y = event.clientY - bounds.top + box.current!.scrollTop;
    handler?.({ x: event.clientX - bounds.left, y, width: bounds.width, event });
  };
  const seen = Math.min(height, heightMax);
  return html`<div
    class="pane"
    ref=${box}
    style=${{ height: `${seen}px` }}
    tabindex="0"
    role="application"
    aria-label=${props.label}
    onScroll=${request}
    onKeyDown=${props.onKey}
  >
    <canvas
      ref=${canvas}
      style=${{ height: `${seen}px` }}
      onPointerMove=${spot(props.onPoint)}
      onPointerDown=${spot(props.onDown)}
      onPointerUp=${spot(props.onUp)}
      onPointerLeave=${props.onLeave}
    ></canvas>
    <div style=${{ height: `${height - seen}px` }}></div>
    ${props.children}
  </div>`;
}
