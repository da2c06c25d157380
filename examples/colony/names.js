// Owns what nests and marked ants are called. It must never give two nests the same name before the list is through.

const NESTS =
  'Amber Birch Clay Dune Elder Fern Gorse Heath Ivory Juniper Knoll Larch Moss Nettle Oak Pine'.split(' ')
const ANTS = 'Ada Bo Cleo Dot Effie Fay Gil Hob Ida Jet Kit Lou Mab Nell Olive Pip Quill Ria Sal Tess'.split(
  ' ',
)

export const nestName = (number) => named(NESTS, number)
export const antName = (number) => named(ANTS, number)

/** 'Amber', and after the last one of the list 'Amber II', 'Amber III' and so on. */
function named(list, number) {
  const round = Math.floor(number / list.length) + 1
  return round === 1 ? list[number % list.length] : `${list[number % list.length]} ${roman(round)}`
}

function roman(number) {
  const digits = [
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ]
  let text = ''
  for (const [value, letters] of digits) for (; number >= value; number -= value) text += letters
  return text
}
