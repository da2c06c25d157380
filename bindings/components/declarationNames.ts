// Owns the names that declarations have in one world: a name stands for one declaration.

import { StrataTypeError } from '../memory/errors'

/** A declaration, as far as a sentence must name it. */
interface NamedDeclaration {
  readonly kind: 'component' | 'tag' | 'object' | 'relation' | 'resource'
}

export class DeclarationNames {
  private readonly owners = new Map<string, NamedDeclaration>()

  /**
   * Notes the first use of a declaration in this world. Nothing happens at later ones.
   *
   * @throws StrataTypeError DUPLICATE_NAME when another declaration has the name
   */
  claim(name: string, declaration: NamedDeclaration): void {
    const owner = this.owners.get(name)
    if (owner === declaration) return
    if (owner !== undefined) throw duplicateName(name, owner)
    this.owners.set(name, declaration)
  }

  /** The declaration with a name. */
  ownerOf(name: string): object | undefined {
    return this.owners.get(name)
  }

  /** The world starts over, or goes back to what it knew then, and its names are free. */
  forget(): void {
    this.owners.clear()
  }
}

function duplicateName(name: string, { kind }: NamedDeclaration): StrataTypeError {
  const what = kind === 'object' ? 'object component' : kind
  return new StrataTypeError(
    'DUPLICATE_NAME',
    `This world uses another ${what} named '${name}': rename one of the two. If the module that declares it ran twice, by hot reload or as two copies, create a new world.`,
  )
}
