// What runs on the graphics card. Colours come from colours.ts as uniforms, in linear light.

import type { Source } from '../../../page/program.ts'
import { BURNING_SECONDS, SIZE } from '../simulation/settings.ts'

const HEAD = `#version 300 es
precision highp float;
const float SIZE = ${SIZE.toFixed(1)};
const float BURNING_SECONDS = ${BURNING_SECONDS.toFixed(3)};
`

/** A dart of length 2 with its tip at (1, 0): how far a point is outside, below 0 inside. Like DART_CORNERS, it says how wide. */
const DART = `
const float HALF_WIDTH = 0.52;
float outsideDart(vec2 at) {
  float y = abs(at.y);
  float side = ((at.x - 1.0) * HALF_WIDTH + y * 2.0) / length(vec2(HALF_WIDTH, 2.0));
  float notch = (-0.5 - 0.5 * y / HALF_WIDTH - at.x) / length(vec2(1.0, 0.5 / HALF_WIDTH));
  return max(side, notch);
}
`

export const DART_CORNERS = 3

/** One agent: where it is, which way it looks, in what colour. KIND is one of those below. */
const AGENT_VERTEX = `
#define FLOCK 0
#define FIRE 1
#define HUNTER 2
layout(location = 0) in float x;
layout(location = 1) in float y;
layout(location = 2) in float vx;
layout(location = 3) in float vy;
layout(location = 4) in float left;
uniform vec2 centre;
uniform vec2 clipPerUnit;
uniform vec2 clipPerPixel;
uniform float ahead;
uniform float reach; // pixels from the middle of a dart to its tip
uniform float gain;
uniform vec3 colours[3];
out vec2 at;
flat out vec4 colour; // alpha: how much of it there is
${DART}
vec3 between(float part) {
  return part < 0.5 ? mix(colours[0], colours[1], part * 2.0) : mix(colours[1], colours[2], part * 2.0 - 1.0);
}

void main() {
  vec2 velocity = vec2(vx, vy);
  // The copy of it that is nearest: the edges of the square join.
  vec2 place = vec2(x, y) + velocity * ahead - centre;
  place -= SIZE * round(place / SIZE);

  float speed = length(velocity);
  vec2 heading = speed > 0.0 ? velocity / speed : vec2(1.0, 0.0);

  // A triangle around the dart, with room for its soft edge.
  float margin = 0.75 / reach;
  float slope = HALF_WIDTH / 2.0;
  float lean = margin * sqrt(1.0 + slope * slope);
  at = gl_VertexID == 0
    ? vec2(1.0 + lean / slope, 0.0)
    : vec2(-1.0 - margin, (gl_VertexID == 1 ? 1.0 : -1.0) * ((2.0 + margin) * slope + lean));

  vec2 turned = mat2(heading, -heading.y, heading.x) * at;
  gl_Position = vec4(place * clipPerUnit + turned * reach * clipPerPixel, 0.0, 1.0);

#if KIND == FLOCK
  colour = vec4(between(0.5 - 0.5 * heading.x) * mix(0.45, 1.25, smoothstep(10.0, 110.0, speed)), 1.0);
#elif KIND == FIRE
  float flicker = 0.5 + 0.5 * sin(x * 1.7 + 3.0 * sin(y * 1.1));
  float heat = clamp(left / BURNING_SECONDS, 0.0, 1.0) * (0.5 + 0.5 * flicker);
  colour = vec4(between(1.0 - heat) * (0.25 + heat), 1.0) * smoothstep(0.0, 0.25, left);
#else
  colour = vec4(colours[0], 1.0);
#endif
  colour.rgb *= gain;
}
`

/** Agents as light (or ink) that adds up. */
const AGENT_LIGHT = `
in vec2 at;
flat in vec4 colour;
uniform float reach;
out vec4 light;
${DART}
void main() {
  light = colour * clamp(0.5 - outsideDart(at) * reach, 0.0, 1.0);
}
`

/** Hunters as they are painted on the finished picture, with a rim. */
const AGENT_SOLID = `
in vec2 at;
flat in vec4 colour;
uniform float reach;
uniform float rimWidth; // pixels
uniform vec3 rim;
out vec4 painted;
${DART}
vec3 toScreen(vec3 light) {
  return pow(light, vec3(1.0 / 2.2));
}
void main() {
  float outside = outsideDart(at) * reach;
  float cover = clamp(0.5 - outside, 0.0, 1.0);
  painted = vec4(toScreen(mix(colour.rgb, rim, clamp(0.5 + outside + rimWidth, 0.0, 1.0))), 1.0) * cover;
}
`

/** Two triangles are more than needed: one covers the screen. uv goes from 0 to 1, upwards. */
const SCREEN_VERTEX = `
out vec2 uv;
void main() {
  uv = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
`
export const SCREEN_CORNERS = 3

/** What glows on: the light of now, mixed into that of before, which is moved as the camera moved. */
const AFTERGLOW = `
in vec2 uv;
uniform sampler2D light;
uniform sampler2D before;
uniform vec2 moved; // parts of the view
uniform float nearer; // factor since then
uniform float keep;
out vec4 glow;
void main() {
  vec2 then = (uv - 0.5) * nearer + 0.5 + moved;
  vec2 inside = step(abs(then - 0.5), vec2(0.5));
  glow = mix(texture(light, uv), texture(before, then) * inside.x * inside.y, keep);
}
`

/** The light of all agents becomes the picture: brightness is bent so that no crowd is white, nor ink on paper a blot. */
const PICTURE = `
in vec2 uv;
uniform sampler2D light;
uniform sampler2D glow;
uniform float exposure;
uniform float trail;
uniform float bloom;
uniform vec3 ground;
uniform bool isInk;
out vec4 picture;

vec3 toScreen(vec3 l) {
  return mix(12.92 * l, 1.055 * pow(l, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, l));
}

// A smaller copy, smoothed by a cubic B-spline of four reads: plain reads would show its texels as diamonds.
vec3 blurred(float level) {
  vec2 size = vec2(textureSize(glow, int(level)));
  vec2 texel = uv * size - 0.5;
  vec2 part = fract(texel);
  vec2 corner = texel - part;
  vec2 part2 = part * part;
  vec2 w0 = (1.0 - part) * (1.0 - part) * (1.0 - part) / 6.0;
  vec2 w1 = 2.0 / 3.0 - part2 + part2 * part / 2.0;
  vec2 w3 = part2 * part / 6.0;
  vec2 left = w0 + w1;
  vec2 a = (corner - 0.5 + w1 / left) / size;
  vec2 b = (corner + 1.5 + w3 / (1.0 - left)) / size;
  return mix(
    mix(textureLod(glow, b, level).rgb, textureLod(glow, vec2(a.x, b.y), level).rgb, left.x),
    mix(textureLod(glow, vec2(b.x, a.y), level).rgb, textureLod(glow, a, level).rgb, left.x),
    left.y);
}

void main() {
  vec3 sum = texture(light, uv).rgb + trail * texture(glow, uv).rgb;
  if (bloom > 0.0) sum += bloom * (blurred(2.0) + blurred(4.0) + blurred(5.0));
  sum *= exposure;
  float peak = max(max(sum.r, sum.g), max(sum.b, 1e-5));
  // One agent is well seen, and of twenty on each other still more than of ten.
  float shown = peak / (1.0 + peak);
  vec2 off = uv - 0.5;
  float vignette = dot(off, off);
  vec3 colour;
  if (isInk) {
    colour = ground * (1.0 - 0.16 * vignette) * exp(-sum / peak * shown * 3.0);
  } else {
    // Channel by channel, embers that lie close turn to gold, but violet to white: so only a little of that.
    vec3 bright = mix(sum / peak * shown, sum / (1.0 + sum), 0.4);
    bright *= sqrt(bright);
    colour = ground * (1.25 - vignette) * (1.0 - shown) + bright;
  }
  // Less than one step of the screen's 256: else dark gradients show bands.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
  picture = vec4(toScreen(colour) + noise / 255.0, 1.0);
}
`

const agents = (kind: string, fragment: string): Source => ({
  vertex: `${HEAD}#define KIND ${kind}\n${AGENT_VERTEX}`,
  fragment: HEAD + fragment,
})

export const SOURCES = {
  flock: agents('FLOCK', AGENT_LIGHT),
  fire: agents('FIRE', AGENT_LIGHT),
  halo: agents('HUNTER', AGENT_LIGHT),
  hunter: agents('HUNTER', AGENT_SOLID),
  afterglow: { vertex: HEAD + SCREEN_VERTEX, fragment: HEAD + AFTERGLOW },
  picture: { vertex: HEAD + SCREEN_VERTEX, fragment: HEAD + PICTURE },
} satisfies Record<string, Source>
