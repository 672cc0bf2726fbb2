"""The table of operations: one row per operation, with the traits that passes, executors, observers and
compilers use.

A row consists of an operation's name and its traits (MLIR's term), below the module that registers the
operation:

    ops.elementwise.arithmetic:
        stablehlo.add  @add identity=0 rounded allocates dequantizes

`traits.legend` defines each trait. `@add` names an opcode of the native VM (lib/vm/opcodes.inc), with "/" in
place of a blank. Some traits have a value, as in `ulps=8`, and some imply others (`IMPLIED`). `shape.*` means
all other operations of the dialect. `none` lists operations that no module registers: terminators, and
operations that the native compiler makes from several others. Lines that begin with eight blanks continue a
row.

No other place in the package lists operations by their traits: `tests/meta/test_traits.py` rejects such
lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

# The traits that a trait implies.
IMPLIED = {
    "extremum": "idempotent commutative exact elementwise refines nans=one",
    "idempotent": "commutative elementwise refines",
    "identity": "commutative elementwise refines",
    "commutative": "elementwise refines",
    "bitwise": "exact elementwise refines",
    "projection": "exact elementwise refines",
    "even": "elementwise refines",
    "rounded": "elementwise refines nans=one",
    "ulps": "elementwise refines nans=one",
    "scalars": "elementwise refines",
    "broadcasting": "elementwise refines",
    "elementwise": "refines",
    "layout": "view moves=:1 exact nans=pass ranked",
    "rearranges": "view moves=:1 exact nans=pass",
    "view": "moves=:1 exact nans=pass",
    "moves": "exact",
    "combines": "applies",
    "constant": "exact",
    "contraction": "nans=one",
    "process_id": "exact",
}


TABLE = """
checks.ops:
    check.*
    check.expect_eq             knows_quantized
    check.expect_eq_const       knows_quantized
    check.expect_serialized_eq  knows_quantized
ops.shapes.constants:
    stablehlo.constant      constant any_width knows_quantized
    stablehlo.dynamic_iota  exact sizes=0 dequantizes nans=blind
    stablehlo.iota          exact dequantizes nans=blind
ops.shapes.data_movement:
    stablehlo.broadcast                 view on_storage
    stablehlo.broadcast_in_dim          layout refines on_storage
    stablehlo.concatenate               moves=0: no_components refines on_storage nans=pass
    stablehlo.dynamic_broadcast_in_dim  moves=:1 sizes=1 refines on_storage nans=pass
    stablehlo.dynamic_pad               moves=:2 sizes=2,3,4 refines on_storage nans=pass
    stablehlo.dynamic_reshape           moves=:1 sizes=1 refines on_storage nans=pass
    stablehlo.pad                       moves=:2 no_components refines on_storage nans=pass
    stablehlo.reshape                   layout rearranges refines on_storage
    stablehlo.reverse                   same_shape rearranges folds no_components on_storage
    stablehlo.transpose                 rearranges folds no_components refines on_storage
ops.shapes.dimension_sizes:
    stablehlo.get_dimension_size  exact refines on_storage own_folding nans=blind
    stablehlo.set_dimension_size  exact sizes=1 on_storage own_folding
ops.shapes.gather:
    stablehlo.dynamic_gather      moves=:1 sizes=2 refines on_storage nans=pass
    stablehlo.gather              moves=:1 on_storage nans=pass
    stablehlo.torch_index_select  moves=:1 on_storage nans=pass
ops.shapes.slicing:
    stablehlo.dynamic_slice         moves=:1 folds on_storage nans=pass
    stablehlo.dynamic_update_slice  moves=:2 on_storage nans=pass
    stablehlo.real_dynamic_slice    moves=:1 sizes=1,2,3 refines on_storage nans=pass
    stablehlo.slice                 view refines on_storage
ops.elementwise.arithmetic:
    stablehlo.abs                     @abs projection even folds no_components vm_complex dequantizes
        nans=type
    stablehlo.add                     @add identity=0 rounded allocates dequantizes
    stablehlo.and                     @and idempotent identity=-1 bitwise
    stablehlo.ceil                    @ceil projection dequantizes nans=one
    stablehlo.complex                 @complex elementwise exact no_components vm_complex nans=pass
    stablehlo.count_leading_zeros     @count_leading_zeros elementwise exact vm_faster
    stablehlo.divide                  @divide rounded allocates choices vm_complex dequantizes
    stablehlo.floor                   @floor projection dequantizes nans=one
    stablehlo.imag                    @imag elementwise exact no_components nans=pass
    stablehlo.is_finite               @is_finite even exact folds no_components nans=blind
    stablehlo.maximum                 @maximum extremum vm_faster dequantizes
    stablehlo.minimum                 @minimum extremum vm_faster dequantizes
    stablehlo.multiply                @multiply identity=1 rounded allocates vm_complex dequantizes
    stablehlo.negate                  @negate elementwise exact folds dequantizes
    stablehlo.not                     @not bitwise
    stablehlo.or                      @or idempotent identity=0 bitwise
    stablehlo.popcnt                  @popcnt elementwise exact vm_faster
    stablehlo.real                    @real elementwise exact no_components nans=pass
    stablehlo.remainder               @remainder elementwise exact choices dequantizes nans=one vm_faster
    stablehlo.round_nearest_afz       @round_nearest_afz projection folds vm_faster dequantizes nans=one
    stablehlo.round_nearest_even      @round_nearest_even projection folds dequantizes nans=one
    stablehlo.shift_left              @shift_left elementwise exact vm_faster
    stablehlo.shift_right_arithmetic  @shift_right_arithmetic elementwise exact vm_faster
    stablehlo.shift_right_logical     @shift_right_logical elementwise exact vm_faster
    stablehlo.sign                    @sign projection vm_faster dequantizes nans=type
    stablehlo.sqrt                    @sqrt rounded allocates partial dequantizes
    stablehlo.subtract                @subtract rounded allocates dequantizes
    stablehlo.xor                     @xor identity=0 bitwise
ops.elementwise.bits:
    stablehlo.bitcast_convert   @bitcast_convert exact ranked on_storage
    stablehlo.reduce_precision  elementwise unreified exact dequantizes
ops.elementwise.chlo:
    chlo._asin_acos_kernel  @asin_acos_kernel ulps=8
    chlo.acos               @acos ulps=8 partial encoded
    chlo.acosh              @acosh ulps=8 partial encoded
    chlo.asin               @asin ulps=8 partial encoded
    chlo.asinh              @asinh ulps=8 encoded
    chlo.atan               @atan ulps=8 encoded
    chlo.atanh              @atanh ulps=8 partial encoded
    chlo.bessel_i1e         @bessel_i1e ulps=48
    chlo.conj               elementwise
    chlo.constant           constant
    chlo.constant_like      same_shape exact any_width nans=blind
    chlo.cosh               @cosh even ulps=64 encoded
    chlo.digamma            @digamma ulps=512 partial
    chlo.erf                @erf ulps=48 encoded
    chlo.erf_inv            @erf_inv ulps=160 partial
    chlo.erfc               @erfc ulps=160
    chlo.is_inf             even exact no_components nans=blind
    chlo.is_neg_inf         elementwise exact no_components nans=blind
    chlo.is_pos_inf         elementwise exact no_components nans=blind
    chlo.lgamma             @lgamma ulps=512 partial
    chlo.mulhi              elementwise unreified
    chlo.next_after         elementwise unreified exact nans=one
    chlo.polygamma          @polygamma unreified ulps=512 partial
    chlo.sinh               @sinh ulps=64 encoded
    chlo.square             @square even rounded
    chlo.tan                @tan ulps=8
    chlo.zeta               @zeta unreified ulps=512 partial
ops.elementwise.chlo_broadcast:
    chlo.broadcast_add                     broadcasting dequantizes
    chlo.broadcast_and                     broadcasting
    chlo.broadcast_atan2                   broadcasting dequantizes
    chlo.broadcast_compare                 broadcasting exact dequantizes
    chlo.broadcast_complex                 broadcasting
    chlo.broadcast_divide                  broadcasting dequantizes
    chlo.broadcast_maximum                 broadcasting dequantizes
    chlo.broadcast_minimum                 broadcasting dequantizes
    chlo.broadcast_multiply                broadcasting dequantizes
    chlo.broadcast_next_after              broadcasting
    chlo.broadcast_or                      broadcasting
    chlo.broadcast_polygamma               broadcasting
    chlo.broadcast_power                   broadcasting dequantizes
    chlo.broadcast_remainder               broadcasting dequantizes
    chlo.broadcast_select                  broadcasting moves=1:3 dequantizes
    chlo.broadcast_shift_left              broadcasting
    chlo.broadcast_shift_right_arithmetic  broadcasting
    chlo.broadcast_shift_right_logical     broadcasting
    chlo.broadcast_subtract                broadcasting dequantizes
    chlo.broadcast_xor                     broadcasting
    chlo.broadcast_zeta                    broadcasting
ops.elementwise.compare_and_select:
    stablehlo.clamp    @clamp elementwise scalars exact vm_faster dequantizes nans=one
    stablehlo.compare  @EQ @NE @LT @LE @GT @GE
        @TOTALORDER/EQ @TOTALORDER/NE @TOTALORDER/LT @TOTALORDER/LE @TOTALORDER/GT @TOTALORDER/GE
        elementwise exact allocates folds dequantizes nans=comparison
    stablehlo.select   @select elementwise scalars moves=1:3 vm_faster dequantizes nans=pass
ops.elementwise.convert:
    stablehlo.convert  @convert rounded choices nans=type
ops.elementwise.transcendental:
    stablehlo.atan2                  @atan2 ulps=8 dequantizes
    stablehlo.cbrt                   @cbrt ulps=8 dequantizes
    stablehlo.cosine                 @cosine even ulps=8 allocates dequantizes
    stablehlo.exponential            @exponential ulps=8 allocates dequantizes
    stablehlo.exponential_minus_one  @exponential_minus_one ulps=8 dequantizes
    stablehlo.log                    @log ulps=8 allocates partial dequantizes
    stablehlo.log_plus_one           @log_plus_one ulps=8 partial dequantizes
    stablehlo.logistic               @logistic ulps=8 allocates dequantizes
    stablehlo.power                  @power ulps=8 allocates choices dequantizes
    stablehlo.rsqrt                  @rsqrt ulps=8 allocates partial dequantizes
    stablehlo.sine                   @sine ulps=8 allocates dequantizes
    stablehlo.tan                    @tan ulps=8 dequantizes encoded
    stablehlo.tanh                   @tanh ulps=8 allocates dequantizes
ops.contractions.convolution:
    stablehlo.convolution   contraction allocates dequantizes
    stablehlo.dynamic_conv  contraction sizes=2 dequantizes
ops.contractions.dot_general:
    stablehlo.dot          contraction dequantizes
    stablehlo.dot_general  contraction allocates dequantizes
ops.contractions.einsum:
    stablehlo.einsum        contraction dequantizes
    stablehlo.unary_einsum  contraction dequantizes
ops.contractions.ragged_dot:
    chlo.ragged_dot  contraction dequantizes
ops.regions.map:
    stablehlo.map  same_shape applies any_width on_storage region_values=beside
ops.regions.reduce:
    stablehlo.reduce  combines requantizes nans=body region_values=carried
ops.regions.reduce_window:
    stablehlo.reduce_window  combines any_width requantizes nans=body region_values=carried
ops.regions.scan:
    chlo.scan  knows_quantized
ops.regions.scatter:
    stablehlo.scatter  combines any_width requantizes region_values=carried
ops.regions.select_and_scatter:
    stablehlo.select_and_scatter  combines any_width requantizes
ops.regions.sort:
    stablehlo.sort  moves=0: applies on_storage region_values=beside
ops.regions.top_k:
    chlo.top_k  exact dequantizes
ops.normalization.batch_norm:
    stablehlo.batch_norm_grad       dequantizes nans=one
    stablehlo.batch_norm_inference  dequantizes nans=one
    stablehlo.batch_norm_training   dequantizes nans=one
ops.random.operations:
    stablehlo.rng                random nans=one
    stablehlo.rng_bit_generator  exact
ops.linalg.fft:
    stablehlo.fft  any_width nans=one
ops.linalg.operations:
    stablehlo.cholesky          partial dequantizes nans=one
    stablehlo.triangular_solve  partial any_width dequantizes nans=one
ops.processes.collectives:
    stablehlo.all_gather            moves=0: collective on_storage
    stablehlo.all_reduce            combines collective requantizes
    stablehlo.all_to_all            moves=0: collective on_storage
    stablehlo.collective_broadcast  moves=0: collective on_storage
    stablehlo.collective_permute    moves=0: collective on_storage
    stablehlo.collective_reduce     combines collective requantizes
    stablehlo.cross-replica-sum     collective dequantizes
    stablehlo.partition_id          process_id
    stablehlo.reduce_scatter        combines collective requantizes
    stablehlo.replica_id            process_id
ops.processes.transfers:
    stablehlo.async_done   async knows_quantized
    stablehlo.async_start  async knows_quantized
    stablehlo.infeed       feed receives knows_quantized
    stablehlo.outfeed      feed knows_quantized
    stablehlo.recv         channel receives knows_quantized
    stablehlo.send         channel knows_quantized
ops.quantized.operations:
    stablehlo.uniform_dequantize  same_shape knows_quantized nans=one
    stablehlo.uniform_quantize    same_shape knows_quantized nans=one
ops.control_flow.branches_and_loops:
    func.call            control any_width knows_quantized ranked
    stablehlo.case       exact control any_width knows_quantized own_folding
    stablehlo.composite  control any_width knows_quantized ranked
    stablehlo.if         control any_width knows_quantized own_folding
    stablehlo.while      control any_width knows_quantized
ops.control_flow.tuples_and_tokens:
    stablehlo.after_all             exact ordering
    stablehlo.create_token          ordering
    stablehlo.get_tuple_element     moves=:1 tuple knows_quantized
    stablehlo.optimization_barrier  moves=0: knows_quantized
    stablehlo.tuple                 moves=0: tuple knows_quantized
ops.dialects.arith:
    arith.*
    arith.constant  constant
ops.dialects.interpreter:
    interpreter.*
    interpreter.print         knows_quantized
    interpreter.probe         knows_quantized
    interpreter.run_parallel  knows_quantized makes_grid
ops.dialects.sdy:
    sdy.*
    sdy.manual_computation  control makes_grid
    sdy.named_computation   control
ops.dialects.shape:
    shape.*
    shape.assuming  control
ops.dialects.tensor:
    tensor.*
ops.custom_calls.dispatch:
    stablehlo.custom_call  foreign knows_quantized nans=target
none:
    chlo.return           terminator
    func.return           terminator
    sdy.return            terminator
    shape.assuming_yield  terminator
    stablehlo.return      terminator
    vm.canonical_nan      @canonical_nan nans=one
    vm.floor_divide       @floor_divide
    vm.floor_remainder    @floor_remainder
    vm.normalize_index    @normalize_index
    vm.rotate             @rotate
"""


@cache
def traits_of(name: str) -> dict[str, str]:
    """The traits of an operation except opcodes, with their values; "" for a trait without a value."""
    found: dict[str, str] = {}
    for word in _words(name):
        if word[0] != "@":
            trait, _, found[trait] = word.partition("=")
            for implied in IMPLIED.get(trait, "").split():
                trait, _, value = implied.partition("=")
                found.setdefault(trait, value)
    return found


def has(name: str, *traits: str) -> bool:
    """Whether an operation has at least one of these traits."""
    found = traits_of(name)
    return any([trait in found for trait in traits])


def having(*traits: str) -> frozenset[str]:
    """The names of all operations that have at least one of these traits.

    Raises:
      KeyError: no operation has the trait.
    """
    return frozenset([name for trait in traits for name in values(trait)])


def mnemonics(*traits: str) -> frozenset[str]:
    """As `having`, without the names of dialects."""
    return frozenset([name.partition(".")[2] for name in having(*traits)])


@cache
def values(trait: str) -> dict[str, str]:
    """The values of a trait, which follow "=": name of an operation -> value.

    Raises:
      KeyError: no operation has the trait.
    """
    implying = [word for word, implied in IMPLIED.items() if f" {trait}" in f" {implied}"]
    spellings = [f" {word}" for word in (trait, *implying)]
    names = [row.split(None, 1)[0] for row in _rows() if any([spelling in row for spelling in spellings])]
    found = {name: traits_of(name)[trait] for name in names if trait in traits_of(name)}
    if not found:
        raise KeyError(trait)
    return found


@cache
def opcodes(name: str) -> tuple[str, ...]:
    """The native VM's names of an operation; attributes and types select one of its opcodes."""
    return tuple([word[1:].replace("/", " ") for word in _words(name) if word[0] == "@"])


def opcode(name: str) -> str | None:
    """The native VM's name of an operation; None if the operation has no name or several names."""
    names = opcodes(name)
    return names[0] if len(names) == 1 else None


def module_of(name: str) -> str | None:
    """The module that registers an operation; None if there is none."""
    place = _place(name)
    if place < 0:
        place = _place(f"{name.partition('.')[0]}.*")
    if place < 0:
        return None
    end = TABLE.rindex(":\n", 0, place + 1)
    module = TABLE[TABLE.rindex("\n", 0, end) + 1 : end]
    return None if module == "none" else f"hlokit.{module}"


def modules() -> tuple[str, ...]:
    """All modules that register operations."""
    headings = [line[:-1] for line in TABLE.splitlines() if line[-1:] == ":" and line[0] != " "]
    return tuple([f"hlokit.{heading}" for heading in headings if heading != "none"])


@cache
def operations() -> tuple[str, ...]:
    """The names of all rows, in the table's order."""
    return tuple([row.split(None, 1)[0] for row in _rows()])


@cache
def _rows() -> Sequence[str]:
    """The rows of all operations, each in one line."""
    text = TABLE.replace("\n        ", " ")
    return [line for line in text.splitlines() if line[:4] == "    "]


def _place(name: str) -> int:
    """The end of the line before an operation's row, -1 without a row."""
    place = TABLE.find(f"\n    {name} ")
    return place if place >= 0 else TABLE.find(f"\n    {name}\n")


def _words(name: str) -> Sequence[str]:
    """The words in the row of an operation."""
    place = _place(name)
    if place < 0:
        return []
    end = TABLE.index("\n", place + 1)
    while TABLE.startswith("        ", end + 1):
        end = TABLE.index("\n", end + 1)
    return TABLE[place:end].split()[1:]
