// A picture without background, from two pictures of the same scene on black and on white. Smooth edges, translucent
// surfaces and the haze become translucent pixels, which a transparent canvas of WebGL would not give.

/** Turn the pixels on black into pixels without background; all have red, green, blue, opacity as bytes. */
export function removeBackground(onBlack: Uint8ClampedArray, onWhite: Uint8ClampedArray): void {
  for (let at = 0; at < onBlack.length; at += 4) {
    let clear = 255;
    for (let part = 0; part < 3; part++)
      clear = Math.min(clear, Math.max(0, onWhite[at + part]! - onBlack[at + part]!));
    const opacity = 255 - clear;
    for (let part = 0; part < 3; part++)
      onBlack[at + part] = opacity === 0 ? 0 : (onBlack[at + part]! * 255) / opacity;
    onBlack[at + 3] = opacity;
  }
}
