// Everything works without this file: plain forms and a reload. With it the table stays up to date by itself, pieces
// glide, and dice can be followed with the eye.
import { runClocks } from "./clock.js";
import { copyButtons } from "./copy.js";
import { offerPace } from "./dice.js";
import { followTable } from "./live.js";
import { offerNotifications } from "./notify.js";
import { followPlaces } from "./places.js";
import { followReplay } from "./replay.js";

document.documentElement.classList.add("scripted");
followTable();
followReplay();
copyButtons();
runClocks();
offerNotifications();
offerPace();
followPlaces();
