// Short sounds for moves and for the end of a game, made of tones: no file is loaded.

/** The tones of each sound: their frequencies in hertz. */
const TONES = { tiles: [392, 294], bridge: [330, 494], pass: [262], swap: [349, 262], end: [392, 494, 587] };
/** The duration of a tone, in seconds. */
const TONE_SECONDS = 0.14;

/**
 * Sounds are off until the user switches them on.
 * @param {import("./store.js").Store} store
 * @returns {(kind: string) => void} plays the sound of a kind of move, or `end`
 */
export function createSound(store) {
  let context = null;

  return (kind) => {
    if (!store.state.sound) return;
    context ??= new AudioContext();
    for (const [n, pitch] of (TONES[kind] ?? []).entries()) {
      const start = context.currentTime + n * TONE_SECONDS * 0.8;
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.type = "triangle";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.25, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + TONE_SECONDS);
    }
    // For tests, which cannot hear.
    document.documentElement.dataset.sounded = kind;
  };
}
