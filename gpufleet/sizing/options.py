"""The options of `gpufleet size`; what they ask for is worked out elsewhere, and imported when it is asked for."""

from typing import Annotated, Any

import typer


def _option(flag: str, text: str, metavar: str | None = None) -> Any:
    """An option that has no default, or one that `None` stands for."""
    return typer.Option(flag, metavar=metavar, help=text, show_default=False)


def size(
    model: Annotated[str | None, _option("--model", "A preset, or the path of a config.json.", "NAME|FILE")] = None,
    params: Annotated[str | None, _option("--params", "Parameters, where the model is no preset.", "70B")] = None,
    layers: Annotated[int | None, _option("--layers", "Of a shape given by hand: layers.")] = None,
    hidden: Annotated[int | None, _option("--hidden", "Hidden size.")] = None,
    heads: Annotated[int | None, _option("--heads", "Attention heads.")] = None,
    kv_heads: Annotated[int | None, _option("--kv-heads", "Heads of keys and values.")] = None,
    head_dim: Annotated[int | None, _option("--head-dim", "Width of a head.")] = None,
    ffn: Annotated[int | None, _option("--ffn", "Inner width of the feed-forward network.")] = None,
    vocab: Annotated[int | None, _option("--vocab", "Vocabulary.")] = None,
    experts: Annotated[int | None, _option("--experts", "Experts of a layer.")] = None,
    active_experts: Annotated[int | None, _option("--active-experts", "Experts a token passes.")] = None,
    task: Annotated[str, typer.Option("--task", help="training, lora, qlora or inference.")] = "training",
    precision: Annotated[
        str, typer.Option("--precision", help="fp32, bf16, fp16, fp8; to serve also int8, int4.")
    ] = "bf16",
    sequence: Annotated[int, typer.Option("--sequence", help="Tokens of a training sample.")] = 4096,
    batch: Annotated[int, typer.Option("--batch", help="Samples a replica takes at once.")] = 1,
    global_batch: Annotated[
        int | None, _option("--global-batch", "Samples of an optimizer step: the rest is gradient accumulation.")
    ] = None,
    optimizer: Annotated[
        str,
        typer.Option(
            "--optimizer", help="adamw, adamw-16bit, adamw-8bit, adamw-paged, adafactor, sgd (momentum) or sgd-plain."
        ),
    ] = "adamw",
    no_master_weights: Annotated[
        bool, typer.Option("--no-master-weights", help="16-bit training without a 32-bit copy.")
    ] = False,
    fp32_gradients: Annotated[
        bool, typer.Option("--fp32-gradients", help="Add gradients up in 32 bits, as Megatron-LM and DeepSpeed do.")
    ] = False,
    eager_attention: Annotated[
        bool, typer.Option("--eager-attention", help="Attention that stores its scores (no FlashAttention).")
    ] = False,
    no_sequence_parallel: Annotated[
        bool, typer.Option("--no-sequence-parallel", help="Tensor parallelism without splitting norms and dropout.")
    ] = False,
    recompute: Annotated[str | None, _option("--recompute", "none, selective or full; else the search's.")] = None,
    sharding: Annotated[
        str | None,
        _option("--sharding", "none, zero1, zero2, zero3, or FSDP's full_shard, shard_grad_op, hybrid_shard."),
    ] = None,
    offload: Annotated[str, typer.Option("--offload", help="To the host: none, optimizer or all.")] = "none",
    rank: Annotated[int, typer.Option("--rank", help="Of the adapters of lora and qlora.")] = 16,
    users: Annotated[int, typer.Option("--users", help="Serving: sequences at the same time.")] = 1,
    context: Annotated[int, typer.Option("--context", help="Serving: tokens of a prompt and its answer.")] = 4096,
    cache_precision: Annotated[
        str, typer.Option("--cache-precision", help="Serving: bf16, fp16, fp8, int8 or fp32 keys and values.")
    ] = "bf16",
    tensor: Annotated[int | None, _option("--tensor", "Tensor parallelism, within a node; else the search's.")] = None,
    pipeline: Annotated[int | None, _option("--pipeline", "Pipeline stages; else the search's.")] = None,
    expert: Annotated[int | None, _option("--expert", "Expert parallelism; else the search's.")] = None,
    gpu: Annotated[list[str] | None, _option("--gpu", "Only this GPU: H100. May be repeated.", "MODEL")] = None,
    instance_type: Annotated[
        list[str] | None, _option("--instance-type", "Only this type. May be repeated.", "TYPE")
    ] = None,
    gpus: Annotated[int | None, _option("--gpus", "Exactly so many GPUs.")] = None,
    nodes: Annotated[int | None, _option("--nodes", "Exactly so many nodes.")] = None,
    max_nodes: Annotated[int, typer.Option("--max-nodes", help="Nodes at most.")] = 16,
    memory_share: Annotated[
        float, typer.Option("--memory-share", help="Share of a GPU's reported memory that is used.")
    ] = 0.92,
    region: Annotated[str, typer.Option("--region", help="Where to look.")] = "us-east-1",
    purchase: Annotated[
        str, typer.Option("--purchase", help="Rank by: on-demand, spot, reservation or capacity-block.")
    ] = "on-demand",
    tokens: Annotated[str | None, _option("--tokens", "Tokens to train on: time and cost of the run.", "1T")] = None,
    hours: Annotated[float | None, _option("--hours", "The run may take so long at most.")] = None,
    utilisation: Annotated[
        float, typer.Option("--utilisation", help="Share of the dense peak that GPUs reach (MFU).")
    ] = 0.4,
    dataset_gib: Annotated[float | None, _option("--dataset-gib", "Size of the dataset: S3, FSx or NVMe?")] = None,
    sample_kib: Annotated[float | None, _option("--sample-kib", "Size of a sample; else 4 bytes a token.")] = None,
    samples_per_second: Annotated[
        float | None, _option("--samples-per-second", "Samples read; else those that are trained on.")
    ] = None,
    failures_per_node_day: Annotated[
        float | None, _option("--failures-per-node-day", "Failures of a node a day; else a published rate.")
    ] = None,
    checkpoint_gb_s: Annotated[
        float | None, _option("--checkpoint-gb-s", "GB/s at which all nodes together write a checkpoint.")
    ] = None,
    restart_minutes: Annotated[
        float | None, _option("--restart-minutes", "From a failure until training goes on.")
    ] = None,
    top: Annotated[int, typer.Option("--top", help="Rows of each ranking.")] = 8,
    pool: Annotated[bool, typer.Option("--pool", help="Print the cheapest as a pool for the settings.")] = False,
    zone: Annotated[str | None, _option("--zone", "Zone that the pool is written for.")] = None,
    list_models: Annotated[bool, typer.Option("--list-models", help="Print the presets.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")] = False,
) -> None:
    """From a model to the GPUs that hold it: memory of each GPU, instance types, time, money, data, checkpoints.

    Exit status: 0 something fits, 1 nothing does, 2 the question makes no sense.
    """
    from gpufleet.sizing import command
    from gpufleet.sizing.question import Question
    from gpufleet.sizing.shapes import Shape

    if list_models:
        command.list_models()
        return
    question = Question(
        model=model,
        shape=Shape(
            params=params,
            layers=layers,
            hidden=hidden,
            heads=heads,
            kv_heads=kv_heads,
            head_dim=head_dim,
            feed_forward=ffn,
            vocabulary=vocab,
            experts=experts,
            active_experts=active_experts,
        ),
        task=task,
        precision=precision,
        sequence=sequence,
        batch=batch,
        global_batch=global_batch,
        optimizer=optimizer,
        master_weights=not no_master_weights,
        full_gradients=fp32_gradients,
        flash=not eager_attention,
        sequence_parallel=not no_sequence_parallel,
        recompute=recompute,
        sharding=sharding,
        offload=offload,
        rank=rank,
        users=users,
        context=context,
        cache_precision=cache_precision,
        tensor=tensor,
        pipeline=pipeline,
        expert=expert,
        region=region,
        purchase=purchase,
        gpu=gpu or (),
        instance_type=instance_type or (),
        gpus=gpus,
        nodes=nodes,
        most_nodes=max_nodes,
        memory_share=memory_share,
        tokens=tokens,
        hours=hours,
        utilisation=utilisation,
        dataset_gib=dataset_gib,
        sample_kib=sample_kib,
        samples_per_second=samples_per_second,
        failures_per_node_day=failures_per_node_day,
        checkpoint_gb_s=checkpoint_gb_s,
        restart_minutes=restart_minutes,
    )
    fits = command.run(question, top=top, pool=pool, zone=zone, as_json=as_json)
    raise typer.Exit(0 if fits else 1)
