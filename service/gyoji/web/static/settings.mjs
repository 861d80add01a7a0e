// What a player may choose for the own table: it is kept in the fragment of the address, which no server is sent, and nowhere
// else.

import { make } from "./cards.mjs";

/** By the letter that stands for it in the address. */
const CHOICES = { t: "one_tap", s: "sound", v: "vibration", n: "notation" };

/** Whether letters of the address ask for the notation of the log. */
export const asksForNotation = (letters) => (letters ?? "").includes("n");

/** The settings, read from the letters of the address; `changed(letters)` is told of another choice. */
export function settingsOf(letters, say, changed) {
  const chosen = new Set([...(letters ?? "")].filter((letter) => letter in CHOICES));
  const choices = Object.entries(CHOICES).map(([letter, name]) => {
    const box = make("input", { type: "checkbox", checked: chosen.has(letter), onchange: () => choose(letter, box.checked) });
    return make("label", { className: "choice" }, box, say(`set_${name}`));
  });

  function choose(letter, is) {
    if (is) chosen.add(letter);
    else chosen.delete(letter);
    if (is && letter === "s") chime();
    changed([...chosen].join("") || null);
  }

  return {
    element: make("fieldset", { className: "settings" }, make("legend", {}, say("settings")), choices),
    isOneTap: () => chosen.has("t"),
    /** Says by sound and vibration, where they were chosen, that it is the player's turn. */
    call() {
      if (chosen.has("s")) chime();
      if (chosen.has("v")) navigator.vibrate?.(120);
    },
  };
}

let audio = null;

/** Two short notes. */
function chime() {
  audio ??= new AudioContext();
  audio.resume();
  for (const [after, pitch] of [[0, 660], [0.14, 880]]) {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0.08 });
    const begin = audio.currentTime + after;
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.25);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.25);
  }
}
