// SPDX-License-Identifier: Apache-2.0
// main: starts the page, and chooses the screen of an address.
import { effect } from "@preact/signals";
import { render } from "preact";
import "./tokens.css";
import "./style.css";
import { address, startAddress } from "./base/address";
import { shownName } from "./base/format";
import { html } from "./base/html";
import { login, startLogin } from "./base/login";
import { startNarrow } from "./base/narrow";
import { startRange } from "./base/range";
import { startTheme } from "./base/theme";
import { Uploading, startUpload } from "./parts/upload";
import { EventsScreen } from "./screens/events";
import { LoginScreen } from "./screens/login";
import { NowhereScreen } from "./screens/nowhere";
import { RecordingsScreen } from "./screens/recordings";
import { RequestScreen } from "./screens/request";
import { ServiceScreen } from "./screens/service";
import { ServicesScreen } from "./screens/services";
import { TraceScreen } from "./screens/trace";
import { WholeRequestScreen } from "./screens/whole_request";

// screenOf: / services, /s/{service}, /c/{recording}/{id}, /q/{recording}/{id}, /t/{trace}, /e, /r, /r/{recording}.
function screenOf([first]: readonly string[]) {
  switch (first) {
    case undefined:
      return ServicesScreen;
    case "c":
      return RequestScreen;
    case "e":
      return EventsScreen;
    case "q":
      return WholeRequestScreen;
    case "r":
      return RecordingsScreen;
    case "s":
      return ServiceScreen;
    case "t":
      return TraceScreen;
    default:
      return NowhereScreen;
  }
}

// What screens are called that show all of something.
const TITLES: Record<string, string> = { s: "all services", e: "events", r: "recordings" };

function Page() {
  const { path } = address.value;
  if (login.value === null) {
    return null;
  }
  if (login.value.is_needed && login.value.identity === null) {
    return html`<${LoginScreen} />`;
  }
  return html`<${screenOf(path)} key=${path.join("/")} /> <${Uploading} />`;
}

startAddress();
startRange();
startTheme();
startNarrow();
startLogin();
startUpload();
effect(() => {
  const { path } = address.value;
  const [first, ...rest] = path;
  const name = rest.length === 0 ? (TITLES[first ?? ""] ?? first) : shownName(rest.at(-1)!);
  document.title = [...(name === undefined ? [] : [name]), "Loupe"].join(" · ");
});
render(html`<${Page} />`, document.body);
