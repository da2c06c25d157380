// Owns the form in which classes are shipped whose bodies have computed names, or that inherit such. It must never change what a class
// does.
//
// A bundler keeps `class Field { [INSPECT]() {} }` for a program that never looks at it, and all that it names: evaluating a name
// could have an effect, and so could looking for the parent of `class Schedule extends Shown {}`. A call that is marked as pure is left
// out like any other.

import ts from 'typescript'

const { factory } = ts

/** Bundlers know the symbols of the language: `[Symbol.iterator]` keeps nothing. */
const isKnown = (key) => ts.isPropertyAccessExpression(key) && key.expression.getText() === 'Symbol'

const hasComputedName = ({ name }) =>
  name !== undefined && ts.isComputedPropertyName(name) && !isKnown(name.expression)

/** Whether it extends Shown of bindings/memory/consoleText.ts, which is such a call itself. */
const isShown = ({ heritageClauses }) =>
  heritageClauses?.some(({ types }) => types.some(({ expression }) => expression.getText() === 'Shown')) ===
  true

/** Makes `const Schedule = (() => class Schedule {})()` of a declaration, the call marked as pure. */
function madeByPureCall(declaration) {
  const { modifiers, name, typeParameters, heritageClauses, members } = declaration
  const itself = factory.createClassExpression(undefined, name, typeParameters, heritageClauses, members)
  const making = factory.createArrowFunction(undefined, undefined, [], undefined, undefined, itself)
  const call = factory.createCallExpression(factory.createParenthesizedExpression(making), undefined, [])
  const pure = ts.addSyntheticLeadingComment(call, ts.SyntaxKind.MultiLineCommentTrivia, ' @__PURE__ ')
  const variable = factory.createVariableDeclaration(name, undefined, undefined, pure)
  const list = factory.createVariableDeclarationList([variable], ts.NodeFlags.Const)
  return ts.setTextRange(factory.createVariableStatement(modifiers, list), declaration)
}

/** A transformer for TypeScript, of the JavaScript that it emits. */
export const removableClasses = () => (file) => {
  const isKept = (statement) =>
    ts.isClassDeclaration(statement) && (statement.members.some(hasComputedName) || isShown(statement))
  if (!file.statements.some(isKept)) return file
  const statements = file.statements.map((one) => (isKept(one) ? madeByPureCall(one) : one))
  // The comment that opens a file stays only where the list of statements begins.
  return factory.updateSourceFile(file, ts.setTextRange(factory.createNodeArray(statements), file.statements))
}
