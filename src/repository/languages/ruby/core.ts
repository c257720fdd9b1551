/** The classes and modules that Ruby itself defines. Files that open them again add to what all others use. */
const NAMES = `
ARGF ArgumentError Array BasicObject Binding Class ClosedQueueError Comparable Complex ConditionVariable Data Dir ENV
EOFError Encoding EncodingError Enumerable Enumerator Errno Exception FalseClass Fiber FiberError File FileTest Float
FloatDomainError FrozenError GC Hash IO IOError IndexError Integer Interrupt Kernel KeyError LoadError LocalJumpError
Marshal MatchData Math Method Module Monitor MonitorMixin Mutex NameError NilClass NoMatchingPatternError
NoMatchingPatternKeyError NoMemoryError NoMethodError NotImplementedError Numeric Object ObjectSpace Proc Process Queue
Ractor Random Range RangeError Rational RbConfig Refinement Regexp RegexpError RubyVM RuntimeError ScriptError
SecurityError Set Signal SignalException SizedQueue StandardError StopIteration String Struct Symbol SyntaxError
SystemCallError SystemExit SystemStackError Thread ThreadError ThreadGroup Time TracePoint TrueClass TypeError
UnboundMethod UncaughtThrowError Warning ZeroDivisionError
`;

export const CORE: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/));
