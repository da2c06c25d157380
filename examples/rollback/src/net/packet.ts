// What one player sends the other: its layout in bytes, and the refusal of bytes that are not such a packet.
//
//   0       4          8       12         16       20       24
//   ┌───────┬──────────┬───────┬──────────┬────────┬────────┬─── ─ ─
//   │ frame │ received │ ahead │ verified │ digest │ first  │ inputs, one byte a frame
//   └───────┴──────────┴───────┴──────────┴────────┴────────┴─── ─ ─

const HEADER_BYTES = 24
/** More inputs than a player may ever have sent without an answer. */
export const MOST_INPUTS = 64

export interface Packet {
  /** The frame that the sender simulates next. */
  readonly frame: number
  /** How many frames of the receiver's inputs have arrived at the sender: those before this one. */
  readonly received: number
  /** How many frames the sender believes itself to be ahead of the receiver; negative when it is late. */
  readonly ahead: number
  /** A state of the sender's that is final, and its digest. State 0 is the beginning. */
  readonly verified: number
  readonly digest: number
  /** The sender's inputs of the frames from `first` on. */
  readonly first: number
  readonly inputs: Uint8Array
}

export function encodePacket(packet: Packet): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + packet.inputs.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, packet.frame, true)
  view.setUint32(4, packet.received, true)
  view.setInt32(8, packet.ahead, true)
  view.setUint32(12, packet.verified, true)
  view.setUint32(16, packet.digest, true)
  view.setUint32(20, packet.first, true)
  bytes.set(packet.inputs, HEADER_BYTES)
  return bytes
}

/** Undefined when the bytes are too few or too many. Whether the numbers make sense, only the session can tell. */
export function decodePacket(bytes: Uint8Array): Packet | undefined {
  const count = bytes.length - HEADER_BYTES
  if (count < 0 || count > MOST_INPUTS) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    frame: view.getUint32(0, true),
    received: view.getUint32(4, true),
    ahead: view.getInt32(8, true),
    verified: view.getUint32(12, true),
    digest: view.getUint32(16, true),
    first: view.getUint32(20, true),
    inputs: bytes.subarray(HEADER_BYTES),
  }
}
